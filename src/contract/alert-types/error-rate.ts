import { alertType, narrowedByCall } from './alert-type.ts';

export const errorRate = alertType({
  ...narrowedByCall,
  name: 'error-rate',
  title: 'Error rate',
  hint: 'Share of calls with an error.',
  unit: 'share',
  fires: 'above',
  threshold: { min: 0, max: 1, sentence: 'must be a fraction from 0 to 1' },
  minCount: { noun: 'calls', default: 20 },
  figure: { of: 'calls', aggregate: 'mean', value: 'error', unnamed: true },
  summary: ({ value, of, last }) => `${value} of the calls${of} failed ${last}`,
  chart: { of: 'calls', title: 'Error rate', field: 'error_rate', isSum: false, ofAgents: true, color: 'bad', limit: 1 },
});
