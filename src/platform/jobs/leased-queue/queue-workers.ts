import type { Clock } from '../../clock/clock.ts';
import { PeriodicJobs } from '../periodic.ts';
import { WorkerPool } from '../worker-pool.ts';
import type { ProjectClaim } from './claim.ts';
import { leaseMs } from './leased-queue.ts';
import type { LeasedQueue } from './leased-queue.ts';
import type { ColumnTypes, Values } from './queue-table.ts';
import type { RecordedRun } from './record-outcomes.ts';

/** A worker pool: its jobs do not wait for those of other pools. */
export interface PoolSettings {
  /** The `lane` with which its jobs are queued. */
  name: string;
  /** Concurrent calls of `run`. */
  concurrency: number;
  /** Maximum jobs in one call of `run`, all of one project. */
  batchSize: number;
  /** Maximum concurrent jobs of one project in this process, so that a project whose jobs hang does not delay others. */
  maxOfProject: number;
}

export interface QueueWorkersOptions<Payload extends ColumnTypes, Results extends ColumnTypes, Sums extends ColumnTypes> {
  queue: LeasedQueue<Payload, Results, Sums>;
  /** Names the queue in background jobs. */
  name: string;
  clock: Clock;
  pools: readonly PoolSettings[];
  /**
   * Runs jobs of one project and returns their outcomes; a job that is not in the result is run again when its lease expires. Must be repeatable.
   * When the signal aborts, this process has lost the jobs, and its result is ignored.
   */
  run(
    claim: ProjectClaim<Values<Payload>>,
    signal: AbortSignal,
  ): Promise<ReadonlyArray<RecordedRun<Values<Results>, Values<Sums>>>>;
  /** No other process runs jobs of this database. */
  alone: boolean;
  /** How long {@link QueueWorkers.stop} waits for running jobs, in milliseconds; default 5 s. */
  graceMs?: number;
  /** Called with errors of the database and errors that `run` throws. */
  onError(error: unknown): void;
}

/** Polling interval for jobs that other processes queued or that have become due. A single process is woken when jobs are queued. */
const pollMs = { shared: 1_000, alone: 5_000 };
/** A retry after a wait of up to this long is run when it is due; a later one, when a poll finds it. Milliseconds. */
const maxTimedWaitMs = 30_000;
const renewEveryMs = leaseMs / 3;
const recoverEveryMs = 30_000;
const defaultGraceMs = 5_000;

interface Held {
  id: string;
  leaseId: string;
  pool: string;
  projectId: string;
  /** Expiry of the leases, as of the last successful renewal. */
  expiresMs: number;
  run: Run;
}

/** A call of `run`. */
interface Run {
  /** Jobs that this process still holds. */
  held: number;
  /** Aborts when this process has lost all of them. */
  lost: AbortController;
}

/** Runs the jobs of a queue in this process. */
export class QueueWorkers<Payload extends ColumnTypes, Results extends ColumnTypes, Sums extends ColumnTypes> {
  readonly #options: QueueWorkersOptions<Payload, Results, Sums>;
  readonly #pools: readonly WorkerPool[];
  readonly #held = new Map<string, Held>();
  readonly #upkeep: PeriodicJobs;
  readonly #retryTimers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(options: QueueWorkersOptions<Payload, Results, Sums>) {
    this.#options = options;
    const { alone, onError } = options;
    this.#pools = options.pools.map(
      (settings) =>
        new WorkerPool({
          concurrency: settings.concurrency,
          pollMs: alone ? pollMs.alone : pollMs.shared,
          take: (slots) => this.#take(settings, slots),
          onError,
        }),
    );
    this.#upkeep = new PeriodicJobs((_job, error) => onError(error));
  }

  start(): void {
    const { name, alone } = this.#options;
    // In a database's only process, running jobs belong to an earlier process.
    if (alone) void this.#recover(true).then(() => this.#startPools());
    else this.#startPools();
    this.#upkeep.start({ name: `${name}-leases`, everyMs: renewEveryMs, run: () => this.renewLeases() });
    this.#upkeep.start({ name: `${name}-recovery`, everyMs: recoverEveryMs, run: () => this.#recover(false) });
  }

  /** Polls at once; call it after jobs were queued. */
  wake(): void {
    for (const pool of this.#pools) pool.wake();
  }

  /** Runs everything that is due now; for workers that were not started. @returns calls of `run` */
  async runPending(): Promise<number> {
    await this.#recover(false);
    let done = 0;
    for (const pool of this.#pools) done += await pool.drain();
    return done;
  }

  /** Stops claiming, waits up to `graceMs` for running jobs, and releases the rest. */
  async stop(): Promise<void> {
    const { graceMs = defaultGraceMs } = this.#options;
    this.#stopped = true;
    for (const timer of this.#retryTimers) clearTimeout(timer);
    await Promise.all([this.#upkeep.stop(), ...this.#pools.map((pool) => pool.stop(graceMs))]);
    const held = [...this.#held.values()];
    if (held.length > 0) await this.#options.queue.release(held).catch((error: unknown) => this.#options.onError(error));
    for (const job of held) this.#lose(job);
  }

  /** Renews the leases of running jobs, and aborts jobs that another process has claimed. Called periodically after {@link start}. */
  async renewLeases(): Promise<void> {
    const { queue, clock } = this.#options;
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    const now = clock.now();
    try {
      const kept = await queue.renew(held);
      for (const job of held) {
        if (kept.has(job.id)) job.expiresMs = now + leaseMs;
        else this.#lose(job);
      }
    } catch (error) {
      // Another process may have claimed them by now.
      for (const job of held) if (job.expiresMs <= now) this.#lose(job);
      throw error;
    }
  }

  #lose(job: Held): void {
    if (this.#held.get(job.id) !== job) return;
    this.#held.delete(job.id);
    job.run.held -= 1;
    if (job.run.held === 0) job.run.lost.abort();
  }

  #startPools(): void {
    for (const pool of this.#pools) pool.start();
  }

  async #recover(all: boolean): Promise<void> {
    try {
      if ((await this.#options.queue.recover(all)) > 0) this.wake();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #take({ name, batchSize, maxOfProject }: PoolSettings, slots: number): Promise<Array<() => Promise<void>>> {
    const runningOf = new Map<string, number>();
    for (const { pool, projectId } of this.#held.values())
      if (pool === name) runningOf.set(projectId, (runningOf.get(projectId) ?? 0) + 1);
    // A batch fills one slot; single jobs fill a slot each.
    const max = batchSize === 1 ? slots : batchSize;
    const claim = await this.#options.queue.claim(name, { max, maxOfProject, runningOf });
    if (!claim) return [];
    const { projectId, jobs } = claim;
    const parts = batchSize === 1 ? jobs.map((job) => [job]) : [jobs];
    const expiresMs = this.#options.clock.now() + leaseMs;
    return parts.map((part) => {
      const run: Run = { held: part.length, lost: new AbortController() };
      const held = part.map(({ id, leaseId }): Held => ({ id, leaseId, pool: name, projectId, expiresMs, run }));
      for (const job of held) this.#held.set(job.id, job);
      return () =>
        this.#run({ projectId, jobs: part }, run.lost.signal).finally(() => {
          for (const job of held) if (this.#held.get(job.id) === job) this.#held.delete(job.id);
        });
    });
  }

  async #run(claim: ProjectClaim<Values<Payload>>, lost: AbortSignal): Promise<void> {
    const { queue, run, onError } = this.#options;
    const runs = await run(claim, lost).catch((error: unknown) => {
      if (!lost.aborted) onError(error);
      const failed = 'The job failed unexpectedly; look at the log of the service.';
      return claim.jobs.map((job) => ({ job, outcome: queue.failure(job, failed) }));
    });
    if (lost.aborted) return;
    await queue.record(runs);
    const waits = runs.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome.afterMs] : []));
    for (const waitMs of new Set(waits)) this.#wakeAfter(waitMs);
  }

  #wakeAfter(waitMs: number): void {
    if (this.#stopped || waitMs > maxTimedWaitMs) return;
    const timer = setTimeout(() => {
      this.#retryTimers.delete(timer);
      this.wake();
    }, waitMs);
    timer.unref();
    this.#retryTimers.add(timer);
  }
}
