import { hourMs } from '../../../contract/durations.ts';
import type { Clock } from '../../clock/clock.ts';
import { isUniqueViolation } from '../../postgres/index.ts';
import { backoff, longestWaitMs } from './backoff.ts';
import type { RetryPolicy } from './backoff.ts';
import { Claims } from './claim.ts';
import type { ClaimLimits, ProjectClaim } from './claim.ts';
import { enqueue, unfinished } from './enqueue.ts';
import type { EnqueueOptions, NewJob } from './enqueue.ts';
import { pullForward, recoverExpired, releaseLeases, renewLeases } from './leases.ts';
import type { Lease } from './leases.ts';
import { silentMetrics } from './queue-metrics.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { ColumnTypes, LeasedJob, QueueTable, Values } from './queue-table.ts';
import { recordOutcomes } from './record-outcomes.ts';
import type { RecordedRun } from './record-outcomes.ts';
import type { Database } from '../../postgres/index.ts';

export interface LeasedQueueOptions<Payload extends ColumnTypes, Results extends ColumnTypes, Sums extends ColumnTypes> {
  db: Database;
  table: QueueTable<Payload, Results, Sums>;
  clock: Clock;
  retries: RetryPolicy;
  /** The error of a job whose process died at each of its attempts. */
  interruptedError: string;
  metrics?: QueueMetrics;
  /** 0 up to 1, excluded; the jitter of retries. */
  random?: () => number;
}

/** Duration of a lease in milliseconds: a process that has not renewed it by then counts as dead. */
export const leaseMs = 90_000;

const maxRecordAttempts = 3;
/** Waits that are not those of failed attempts are shorter. */
const leastLongestWaitMs = hourMs;

/**
 * A durable queue in a PostgreSQL table; see {@link QueueTable} for its shape. Jobs are queued in the caller's transaction, claimed with
 * a lease, and run at least once: a job whose lease expires is run again, and later writes of the first process have no effect. All times come from
 * the clock.
 */
export class LeasedQueue<Payload extends ColumnTypes, Results extends ColumnTypes, Sums extends ColumnTypes> {
  readonly #options: LeasedQueueOptions<Payload, Results, Sums>;
  readonly #claims: Claims<Payload>;
  readonly #metrics: QueueMetrics;
  /** When {@link LeasedQueue.recover} was called last, epoch milliseconds. */
  #recoveredMs = Infinity;

  constructor(options: LeasedQueueOptions<Payload, Results, Sums>) {
    this.#options = options;
    this.#claims = new Claims(options.db, options.table, leaseMs);
    this.#metrics = options.metrics ?? silentMetrics;
  }

  /**
   * Queues jobs of one project; see {@link enqueue}.
   *
   * @param db the caller's transaction: the jobs are durable when it commits
   * @param options `limit`: maximum jobs of the project that are queued or running
   * @returns how many were refused because the queue is full: the last ones
   */
  async enqueue(
    db: Database,
    projectId: string,
    jobs: ReadonlyArray<NewJob<Values<Payload>>>,
    options: Omit<EnqueueOptions, 'nowMs'>,
  ): Promise<number> {
    const refused = await enqueue(db, this.#options.table, projectId, jobs, { ...options, nowMs: this.#options.clock.now() });
    this.#metrics.refused(refused);
    return refused;
  }

  /** Jobs of a project that are queued or running, counted up to `max`. */
  unfinished(db: Database, projectId: string, max: number): Promise<number> {
    return unfinished(db, this.#options.table, projectId, max);
  }

  /** Claims due jobs of the next project in turn; null when there are none. */
  async claim(pool: string, limits: ClaimLimits): Promise<ProjectClaim<Values<Payload>> | null> {
    const claim = await this.#claims.take(pool, limits, this.#options.clock.now());
    if (claim) this.#metrics.claimed(pool, claim.jobs.length);
    return claim;
  }

  /** Extends leases by {@link leaseMs}. @returns ids of the jobs that are still held; the others are another process's or deleted */
  renew(leases: readonly Lease[]): Promise<Set<string>> {
    const { db, table, clock } = this.#options;
    return renewLeases(db, table, leases, clock.now() + leaseMs);
  }

  /** Queues jobs again as if they had not been claimed. */
  release(leases: readonly Lease[]): Promise<void> {
    return this.#transaction((db) => releaseLeases(db, this.#options.table, leases));
  }

  /**
   * Queues jobs again whose process has died; see {@link recoverExpired}. After a start, and after the clock was set back, also corrects times that
   * are farther ahead than any wait; see {@link pullForward}.
   *
   * @param all also those whose lease has not expired: for the start of a database's only process
   * @returns how many are queued again
   */
  async recover(all = false): Promise<number> {
    const { clock, interruptedError, retries, table } = this.#options;
    const nowMs = clock.now();
    const options = { nowMs, maxAttempts: retries.maxAttempts, interruptedError, all };
    const isSetBack = nowMs < this.#recoveredMs;
    const longest = { waitMs: Math.max(longestWaitMs(retries), leastLongestWaitMs), leaseMs };
    const recovered = await this.#transaction(async (db) => {
      if (isSetBack) await pullForward(db, table, nowMs, longest);
      return recoverExpired(db, table, options);
    });
    this.#recoveredMs = nowMs;
    this.#metrics.recovered(recovered);
    return recovered;
  }

  /** Records the outcomes of runs; see {@link recordOutcomes}. */
  async record(runs: ReadonlyArray<RecordedRun<Values<Results>, Values<Sums>>>): Promise<void> {
    if (runs.length === 0) return;
    await this.#transaction((db) => recordOutcomes(db, this.#options.table, runs, this.#options.clock.now()));
    for (const { outcome } of runs) this.#metrics.ended(outcome.kind === 'ended' ? outcome.status : outcome.kind);
  }

  /**
   * The outcome of a failed attempt: a retry with backoff, or the status `failed` after the last attempt.
   *
   * @param options `retryable`: default true; `askedMs`: minimum wait, from `Retry-After`; `results`, `sums`: columns to write
   */
  failure(
    { attempts }: Pick<LeasedJob<unknown>, 'attempts'>,
    error: string,
    {
      retryable = true,
      askedMs,
      results = {},
      sums = {},
    }: {
      retryable?: boolean;
      askedMs?: number | undefined;
      results?: Partial<Values<Results>>;
      sums?: Partial<Values<Sums>>;
    } = {},
  ): RecordedRun<Values<Results>, Values<Sums>>['outcome'] {
    if (!retryable || attempts >= this.#options.retries.maxAttempts)
      return { kind: 'ended', status: 'failed', error, results, sums };
    return { kind: 'retry', error, afterMs: this.retryAfter(attempts, askedMs), counts: true, results, sums };
  }

  /** The wait after a failed attempt, in milliseconds; see {@link backoff}. */
  retryAfter(attempts: number, askedMs?: number): number {
    return backoff(this.#options.retries, attempts, askedMs, this.#options.random ?? Math.random);
  }

  /** Attempts that a job has. */
  get maxAttempts(): number {
    return this.#options.retries.maxAttempts;
  }

  async #transaction<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const { db, table } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().execute(work);
      } catch (error) {
        // The key was queued between the check and the update.
        if (attempt === maxRecordAttempts || !isUniqueViolation(error, table.key?.index)) throw error;
      }
    }
  }
}
