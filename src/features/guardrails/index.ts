export { open } from './open.ts';
export type { GuardrailsFeature } from './open.ts';
export type { Redaction } from './policies/redaction.ts';
export { guardrailsOfEnvironments } from './records/guardrails-of-environments.ts';
export { createGuardrail } from './records/create-guardrail.ts';
export { guardrailsOfConnection } from './records/guardrails-of-connection.ts';
