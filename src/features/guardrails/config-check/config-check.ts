import { validateConfig } from '../../../../packages/guardrails/src/index.ts';
import type { Problem } from '../../../../packages/guardrails/src/index.ts';
import type { GuardrailSpec } from '../../policy-revisions/index.ts';

/** The part of a guardrail that the engine checks. */
export type CheckedConfig = Pick<GuardrailSpec, 'type' | 'action' | 'config'>;

/** Checks configurations with the engine. */
export class ConfigCheck {
  /** The problems of a configuration and its action, with paths such as `/config/patterns/0/pattern`. */
  async problemsOf({ type, action, config }: CheckedConfig): Promise<Problem[]> {
    return validateConfig({ type, action, config });
  }

  /** Ends the thread; checks in progress are rejected. */
  async close(): Promise<void> {}
}
