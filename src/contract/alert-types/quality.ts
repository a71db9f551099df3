import { alertType, atLeast, narrowedByCall } from './alert-type.ts';

export const quality = alertType({
  ...narrowedByCall,
  name: 'quality',
  title: 'Quality',
  hint: 'Mean score.',
  unit: 'score',
  fires: 'below',
  threshold: atLeast(-Number.MAX_VALUE, 'must be a number'),
  minCount: { noun: 'scores', default: 5 },
  filters: ['models', 'agents', 'operations', 'evaluators'],
  figure: { of: 'scores' },
  summary: ({ value, of, last }) => `The mean score${of} ${last} is ${value}`,
  chart: { of: 'scores', title: 'Mean score', limit: 1 },
});
