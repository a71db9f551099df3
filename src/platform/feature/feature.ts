import type { Server } from '../http/index.ts';
import type { PeriodicJob } from '../jobs/periodic.ts';

/** A store whose state a backup must keep consistent with that of the other. */
export type StoreName = 'postgres' | 'clickhouse';

/** A background job. It runs in one process at a time, under a lock with its unique name. */
export interface FeatureJob extends Omit<PeriodicJob, 'run'> {
  /** The stores that a run changes. A backup waits for jobs that change both, and blocks them meanwhile. */
  changes: readonly StoreName[];
  /** See {@link PeriodicJob.run}. */
  run(signal: AbortSignal): Promise<unknown>;
}

/**
 * What a feature's `open` returns, beside an API of its own for other features. Every member is optional.
 *
 * The life of a feature: `open`, `routes`, `startWorkers`, and when the process ends `drain` and `close`.
 */
export interface Feature {
  /** Adds the endpoints. Not called in a process with the role `worker`. */
  routes?(server: Server): void | Promise<void>;
  /** Run by processes with a role other than `api`. */
  jobs?: readonly FeatureJob[];
  /** Starts work that is neither a request nor a periodic job. Called where {@link Feature.jobs} are run, once the process listens. */
  startWorkers?(): void;
  /** Ends work that would keep requests in progress from finishing. */
  drain?(): Promise<void>;
  /** Finishes remaining work and releases resources. Called after the last request and job, while the stores are still open. */
  close?(): void | Promise<void>;
}
