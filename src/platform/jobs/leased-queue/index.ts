export type { RetryPolicy } from './backoff.ts';
export type { ProjectClaim } from './claim.ts';
export type { NewJob } from './enqueue.ts';
export { LeasedQueue } from './leased-queue.ts';
export type { QueueMetrics } from './queue-metrics.ts';
export type { JobOutcome, LeasedJob, QueueTable, Values } from './queue-table.ts';
export { QueueWorkers } from './queue-workers.ts';
export type { RecordedRun } from './record-outcomes.ts';
