export { alertsOfEnvironments } from './alerts-of-environments.ts';
export type { AlertChannels } from './alerts-context.ts';
export { createRule } from './create-rule.ts';
export { evaluateRuleAt } from './evaluate-rule-at.ts';
export { open } from './open.ts';
export type { AlertsFeature } from './open.ts';
