import { alertCounts, alertType, atLeast } from './alert-type.ts';

export const guardrail = alertType({
  name: 'guardrail',
  title: 'Guardrail',
  hint: 'Number of checks that triggered a guardrail, or in which one could not run.',
  unit: 'count',
  fires: 'at or above',
  threshold: atLeast(1, 'must be a number of checks, at least 1'),
  window: true,
  minCount: { noun: 'checks', default: 1 },
  filters: ['guardrails'],
  groups: ['environment'],
  counts: alertCounts,
  environment: true,
  figure: { of: 'checks' },
  summary: ({ value, of, last, count }) =>
    `Guardrails ${count === 'failed' ? 'could not run' : 'triggered'} on ${value} ${value === '1' ? 'check' : 'checks'}${of} ${last}`,
  chart: { of: 'checks', title: 'Triggered checks' },
});
