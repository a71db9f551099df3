import type { AlertBody } from '../../contract/alerts.ts';

/** An alert rule of the demonstration. */
export interface DemonstrationRule {
  body: Pick<AlertBody, 'name' | 'type'> & Partial<AlertBody>;
  /** Since when it is evaluated: how much of the period was left, 0..1; null: never. */
  left: number | null;
  /** The note with which its open incidents are acknowledged; without one they stay open. */
  acknowledgement?: string;
}

/**
 * Rules of every type, without channels: nothing is sent. The error rate recovers after the failed deployment is rolled back; latency and cost are
 * still beyond their thresholds at the end.
 */
export const alertRules: readonly DemonstrationRule[] = [
  {
    body: { name: 'Failed calls in production', type: 'error-rate', threshold: 0.08, window: '24h', environment: 'production' },
    left: 0.25,
  },
  {
    body: {
      name: 'Slow answers of the research model',
      type: 'latency',
      threshold: 3_000,
      window: '24h',
      filter: { models: ['claude-sonnet-4-5-20250929'] },
    },
    left: 0.05,
    acknowledgement: 'The provider reports longer queues. Watching it until tomorrow.',
  },
  { body: { name: 'Daily cost by agent', type: 'cost', threshold: 0.02, window: '24h', groupBy: 'agent' }, left: 0.02 },
  {
    body: {
      name: 'Answers that do not help',
      type: 'quality',
      threshold: 0.5,
      window: '24h',
      filter: { evaluators: ['helpfulness'] },
    },
    left: 0.02,
  },
  { body: { name: 'Many guardrail matches', type: 'guardrail', threshold: 2_000, window: '24h' }, left: 0.02 },
  // A demonstration receives no spans after the seed.
  { body: { name: 'No spans', type: 'ingest-stopped', window: '1h', enabled: false }, left: null },
  { body: { name: 'Models that are retired soon', type: 'model-lifecycle' }, left: null },
];
