import { setTimeout as delay } from 'node:timers/promises';

export interface PeriodicJob {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** One run. It must be repeatable: the process may end at any point. */
  run(signal: AbortSignal): Promise<void>;
}

const firstRunMs = 30_000;

/**
 * Runs each job periodically, never twice at the same time. A run that fails is reported and repeated after the interval. With several
 * replicas `run` takes a lock.
 */
export class PeriodicJobs {
  readonly #stop = new AbortController();
  readonly #running: Array<Promise<void>> = [];
  readonly #onError: (job: string, error: unknown) => void;

  constructor(onError: (job: string, error: unknown) => void) {
    this.#onError = onError;
  }

  start(job: PeriodicJob): void {
    this.#running.push(this.#loop(job));
  }

  /** Starts no more runs and waits for those in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #loop(job: PeriodicJob): Promise<void> {
    const { signal } = this.#stop;
    // The first run starts soon: with frequent restarts a job with a long interval would never run.
    for (let wait = Math.min(job.everyMs, firstRunMs); !signal.aborted; wait = job.everyMs) {
      try {
        await delay(wait, undefined, { signal, ref: false });
      } catch {
        return;
      }
      try {
        await job.run(signal);
      } catch (error) {
        this.#onError(job.name, error);
      }
    }
  }
}
