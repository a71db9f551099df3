import type { Clock } from '../../../platform/clock/clock.ts';
import { LeasedQueue } from '../../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, RetryPolicy, Values } from '../../../platform/jobs/leased-queue/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The queue's description of the table `fix_proposals`. */
export const proposalTable = {
  name: 'fix_proposals',
  payload: {
    incident_id: 'uuid',
    prompt_name: 'text',
    base_version: 'int',
    base_version_id: 'uuid',
    connection_id: 'uuid',
    incident: 'text',
    trace_ids: 'text',
    oldest_ms: 'float8',
    requested_by: 'text',
  },
  results: {},
  sums: { cost_usd: 'float8' },
  key: { column: 'incident_id', index: 'fix_proposals_queued', replaced: [] },
} as const;

type Table = typeof proposalTable;
export type ProposalJobs = LeasedQueue<Table['payload'], Table['results'], Table['sums']>;
export type ProposalPayload = Values<Table['payload']>;
export type ProposalJob = LeasedJob<ProposalPayload>;
export type ProposalOutcome = RecordedRun<Values<Table['results']>, Values<Table['sums']>>['outcome'];
export type { Table as ProposalTable };

/** The worker pool of proposals. */
export const proposalPool = 'model';

/** 5 s, 20 s, 80 s, 320 s; or the `Retry-After` of a model's server, up to an hour. */
const retries: RetryPolicy = {
  maxAttempts: 5,
  firstMs: 5_000,
  factor: 4,
  maxMs: 10 * 60_000,
  maxAskedMs: 60 * 60_000,
  jitter: 0.1,
};

/** Opens the queue of fix proposals. */
export function openProposalJobs(options: { db: Database; clock: Clock; metrics?: QueueMetrics }): ProposalJobs {
  return new LeasedQueue({
    ...options,
    table: proposalTable,
    retries,
    interruptedError: 'The run was interrupted at each of its attempts; look at the log of the service.',
  });
}
