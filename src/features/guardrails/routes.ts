import type { Server } from '../../platform/http/index.ts';
import type { GuardrailsContext } from './guardrails-context.ts';
import { recordRoutes } from './records/routes.ts';

/** Routes of guardrails: their records. */
export function guardrailRoutes(app: Server, context: GuardrailsContext): void {
  recordRoutes(app, context);
}
