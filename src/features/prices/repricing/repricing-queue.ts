import type { Clock } from '../../../platform/clock/clock.ts';
import { LeasedQueue, retriesWithoutProgress } from '../../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, Values } from '../../../platform/jobs/leased-queue/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The queue's description of the table `repricings`. */
export const repricingTable = {
  name: 'repricings',
  payload: {
    organization_id: 'uuid',
    from_ms: 'bigint',
    before_ms: 'bigint',
    models: 'text',
    dry_run: 'bool',
    prices: 'text',
    created_by: 'text',
    after_trace_id: 'text',
    after_span_id: 'text',
    page: 'text',
    ended: 'bool',
  },
  results: {},
  sums: {},
  key: null,
} as const;

type Table = typeof repricingTable;
export type { Table as RepricingTable };
export type RepricingQueue = LeasedQueue<Table['payload'], Table['results'], Table['sums']>;
export type RepricingJob = LeasedJob<Values<Table['payload']>>;
export type RepricingOutcome = RecordedRun<Values<Table['results']>, Values<Table['sums']>>['outcome'];

/** The worker pool of repricings. */
export const repricingPool = 'repricings';

/** Opens the queue of repricings. */
export function openRepricingQueue(options: { db: Database; clock: Clock; metrics?: QueueMetrics }): RepricingQueue {
  return new LeasedQueue({
    ...options,
    table: repricingTable,
    retries: retriesWithoutProgress,
    interruptedError: 'The repricing was interrupted at each of its attempts; start it again, or look at the log of the service.',
  });
}
