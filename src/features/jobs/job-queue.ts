import type { Clock } from '../../platform/clock/clock.ts';
import { LeasedQueue, retriesWithoutProgress } from '../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, Values } from '../../platform/jobs/leased-queue/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The queue's description of the table `jobs`. */
export const jobTable = { name: 'jobs', payload: { type: 'text' }, results: {}, sums: {}, key: null } as const;

export type JobTable = typeof jobTable;
export type JobQueue = LeasedQueue<JobTable['payload'], JobTable['results'], JobTable['sums']>;
export type LeasedJobRow = LeasedJob<Values<JobTable['payload']>>;
export type JobRunOutcome = RecordedRun<Values<JobTable['results']>, Values<JobTable['sums']>>['outcome'];

/** The worker pool of jobs. */
export const jobPool = 'jobs';

/** Opens the queue of jobs. */
export function openJobQueue(options: { db: Database; clock: Clock; metrics?: QueueMetrics }): JobQueue {
  return new LeasedQueue({
    ...options,
    table: jobTable,
    retries: retriesWithoutProgress,
    interruptedError: 'The job was interrupted at each of its attempts; look at the log of the service.',
  });
}
