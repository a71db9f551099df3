import type { Clock } from '../../../platform/clock/clock.ts';
import { LeasedQueue } from '../../../platform/jobs/leased-queue/index.ts';
import type { LeasedJob, QueueMetrics, RecordedRun, RetryPolicy, Values } from '../../../platform/jobs/leased-queue/index.ts';
import type { EvaluationTargetType } from '../../../contract/kinds.ts';
import type { Target } from '../score-id.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The queue's description of the table `evaluations` (ADR 0004). */
export const evaluationTable = {
  name: 'evaluations',
  payload: {
    evaluator_id: 'uuid',
    target_type: 'text',
    trace_id: 'text',
    span_id: 'text',
    session_id: 'text',
    run_item_id: 'uuid',
    score_id: 'uuid',
    withdraws: 'bool',
  },
  results: { score: 'float8', passed: 'bool', comment: 'text', content_hash: 'text' },
  sums: { input_tokens: 'bigint', output_tokens: 'bigint', cost_usd: 'float8' },
  // The score's id identifies evaluator and target: a pair is queued at most once, and never runs twice concurrently.
  key: { column: 'score_id', index: 'evaluations_queued', replaced: ['withdraws'] },
} as const;

type Table = typeof evaluationTable;
export type EvaluationJobs = LeasedQueue<Table['payload'], Table['results'], Table['sums']>;
export type EvaluationJob = LeasedJob<Values<Table['payload']>>;
export type EvaluationRun = RecordedRun<Values<Table['results']>, Values<Table['sums']>>;

/** 5 s, 20 s, 80 s, 320 s; or the `Retry-After` of a model's server, up to an hour. */
const retries: RetryPolicy = {
  maxAttempts: 5,
  firstMs: 5_000,
  factor: 4,
  maxMs: 10 * 60_000,
  maxAskedMs: 60 * 60_000,
  jitter: 0.1,
};

interface EvaluationJobsOptions {
  db: Database;
  clock: Clock;
  metrics?: QueueMetrics;
  /** 0 up to 1, excluded; the jitter of retries. */
  random?: () => number;
}

/** Opens the queue of evaluations. */
export function openEvaluationJobs(options: EvaluationJobsOptions): EvaluationJobs {
  return new LeasedQueue({
    ...options,
    table: evaluationTable,
    retries,
    interruptedError: 'The evaluation was interrupted at each of its attempts; look at the log of the service.',
  });
}

/** The payload of a job. */
export function targetOf({ payload }: EvaluationJob): Target {
  const { target_type: type, trace_id: traceId, span_id: spanId, session_id: sessionId, run_item_id: runItemId } = payload;
  return {
    // The table's CHECK constraint allows no other value.
    type: type as EvaluationTargetType,
    traceId: traceId ?? '',
    spanId: spanId ?? '',
    // As JSON text: an id may contain a NUL character.
    sessionId: sessionId ? (JSON.parse(sessionId) as string) : '',
    runItemId: runItemId ?? '',
  };
}

/** The columns of a target. */
export function targetColumns({ type, traceId, spanId, sessionId, runItemId }: Target) {
  return {
    target_type: type,
    trace_id: traceId,
    span_id: spanId,
    session_id: sessionId === '' ? '' : JSON.stringify(sessionId),
    run_item_id: runItemId === '' ? null : runItemId,
  };
}
