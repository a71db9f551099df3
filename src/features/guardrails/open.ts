import type { Feature, Platform } from '../../platform/feature/index.ts';
import { ConfigCheck } from './config-check/config-check.ts';
import type { GuardrailsContext } from './guardrails-context.ts';
import { guardrailRoutes } from './routes.ts';

export interface GuardrailsPorts {
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
}

export interface GuardrailsFeature extends Feature {
  context: GuardrailsContext;
}

/** Opens the feature: the records of guardrails. */
export function open(
  { postgres, clock }: Pick<Platform, 'postgres' | 'clock'>,
  { hasConnectionNamed }: GuardrailsPorts,
): GuardrailsFeature {
  const configCheck = new ConfigCheck();
  const db = postgres.db as unknown as GuardrailsContext['db'];
  const context: GuardrailsContext = { db, changeFeed: postgres.changeFeed, clock, configCheck, hasConnectionNamed };
  return {
    context,
    routes: (server) => guardrailRoutes(server, context),
    close: () => configCheck.close(),
  };
}
