import { setTimeout as delay } from 'node:timers/promises';

export interface PeriodicJob {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** One run; it must be repeatable, since a process may end in its middle. */
  run(signal: AbortSignal): Promise<void>;
}

const firstRunMs = 30_000;

/**
 * Runs jobs one after the other with themselves, each on its own beat. A run that fails is reported and tried again at the next
 * beat. Which replica runs them, when there are several, is the caller's: `run` takes the lock.
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

  /** Lets runs under way finish and starts no more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #loop(job: PeriodicJob): Promise<void> {
    const { signal } = this.#stop;
    // The first run comes soon: a process that is often restarted would never get to a rare job.
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
