import type { Clock } from '../../platform/clock/clock.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, RetryPolicy, Values } from '../../platform/jobs/leased-queue/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The queue's description of the table `notification_deliveries`. */
export const deliveryTable = {
  name: 'notification_deliveries',
  payload: {
    rule_id: 'uuid',
    message_id: 'uuid',
    channel_id: 'uuid',
    url: 'text',
    sealed_secret: 'text',
    addresses: 'text',
    reaches_private: 'bool',
    history: 'text',
  },
  results: { history: 'text' },
  sums: {},
  key: null,
} as const;

type Table = typeof deliveryTable;
export type DeliveryJobs = LeasedQueue<Table['payload'], Table['results'], Table['sums']>;
export type DeliveryJob = LeasedJob<Values<Table['payload']>>;
export type DeliveryRun = RecordedRun<Values<Table['results']>, Values<Table['sums']>>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** docs/semantics.md, "Notifications". */
export const waitsMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];
const retries: RetryPolicy = { maxAttempts: waitsMs.length + 1, waitsMs, spread: 0.2 };

interface DeliveryJobsOptions {
  db: Database;
  clock: Clock;
  metrics: QueueMetrics;
  /** 0 up to 1, excluded; the spread of retries. */
  random: () => number;
}

/** Opens the queue of deliveries. */
export function openDeliveryJobs(options: DeliveryJobsOptions): DeliveryJobs {
  return new LeasedQueue({
    ...options,
    table: deliveryTable,
    retries,
    interruptedError: 'The service ended during the last attempt.',
  });
}
