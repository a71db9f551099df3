import { alertType, atLeast, narrowedByCall } from './alert-type.ts';

export const latency = alertType({
  ...narrowedByCall,
  name: 'latency',
  title: 'Latency',
  hint: 'p95 duration of finished calls.',
  unit: 'milliseconds',
  fires: 'above',
  threshold: atLeast(0, 'must be milliseconds, at least 0'),
  minCount: { noun: 'calls', default: 20 },
  figure: { of: 'calls', aggregate: 'p95', value: 'duration_ms', where: 'finished = 1' },
  summary: ({ value, of, last }) => `The p95 latency of the calls${of} ${last} is ${value}`,
  chart: { of: 'calls', title: 'p95 latency', field: 'p95_latency', isSum: false, ofAgents: false },
});
