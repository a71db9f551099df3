import { alertType, atLeast, narrowedByCall } from './alert-type.ts';

export const cost = alertType({
  ...narrowedByCall,
  name: 'cost',
  title: 'Cost',
  hint: 'Total cost of the calls of the window.',
  unit: 'usd',
  fires: 'above',
  threshold: atLeast(0, 'must be US dollars, at least 0'),
  minCount: { noun: 'calls', default: 1 },
  figure: { of: 'calls', aggregate: 'sum', value: 'cost' },
  summary: ({ value, of, last }) => `The calls${of} ${last} cost ${value}`,
  chart: { of: 'calls', title: 'Cost', field: 'cost', isSum: true, ofAgents: true },
});
