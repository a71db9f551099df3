import type { Clock } from '../../../platform/clock/clock.ts';
import { LeasedQueue, retriesWithoutProgress } from '../../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, Values } from '../../../platform/jobs/leased-queue/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The queue's description of the table `simulation_batch_runs`. */
export const batchRunTable = {
  name: 'simulation_batch_runs',
  payload: {
    scenario_id: 'uuid',
    scenario_name: 'text',
    target: 'text',
    sealed_headers: 'text',
    evaluators: 'text',
    reference_match: 'text',
    dataset_id: 'uuid',
    dataset_run_id: 'uuid',
    label: 'text',
    concurrency: 'int',
    repetitions: 'int',
    total: 'int',
    created_by: 'text',
    prompt_version: 'int',
  },
  results: {
    passed: 'int',
    not_passed: 'int',
    errors: 'int',
    cancelled: 'int',
    latency_p50_ms: 'float8',
    latency_p95_ms: 'float8',
    cost_usd: 'float8',
    unpriced_calls: 'int',
    partly_priced_calls: 'int',
  },
  sums: {},
  key: null,
} as const;

type Table = typeof batchRunTable;
export type { Table as BatchRunTable };
export type BatchRunQueue = LeasedQueue<Table['payload'], Table['results'], Table['sums']>;
export type BatchRunJob = LeasedJob<Values<Table['payload']>>;
export type BatchRunOutcome = RecordedRun<Values<Table['results']>, Values<Table['sums']>>['outcome'];

/** The worker pool of batch runs. */
export const batchRunPool = 'simulations';

/** Opens the queue of batch runs. */
export function openBatchRunQueue(options: { db: Database; clock: Clock; metrics?: QueueMetrics }): BatchRunQueue {
  return new LeasedQueue({
    ...options,
    table: batchRunTable,
    retries: retriesWithoutProgress,
    interruptedError: 'The run was interrupted at each of its attempts; look at the log of the service.',
  });
}
