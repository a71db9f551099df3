import { setTimeout as delay } from 'node:timers/promises';
import { outsideRequests } from '../request-scope/index.ts';

export interface WorkerPoolOptions {
  /** Maximum concurrent tasks. */
  concurrency: number;
  /** Milliseconds between polls, for tasks that other processes queued or that have become due without a {@link WorkerPool.wake}. */
  pollMs: number;
  /** Returns up to `max` tasks that are due; none when there are no more at present. */
  take(max: number): Promise<ReadonlyArray<() => Promise<void>>>;
  /** Called with the error of a poll or a task that failed. */
  onError(error: unknown): void;
}

const maxPollMs = 30_000;

/** Runs tasks as they become due, a bounded number at a time. The caller owns the queue that they come from. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #stopping = new AbortController();
  readonly #active = new Set<Promise<void>>();
  #loop: Promise<void> = Promise.resolve();
  #polled: Promise<void> | null = null;
  #pollAgain = false;
  #started = false;
  #failures = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  start(): void {
    this.#started = true;
    this.#loop = this.#pollPeriodically();
  }

  /** Polls at once. Does nothing in a pool that was not started. */
  wake(): void {
    if (!this.#started || this.#stopping.signal.aborted) return;
    this.#pollAgain = true;
    this.#polled ??= outsideRequests(() => this.#takeTasks()).finally(() => {
      this.#polled = null;
    });
  }

  /** Runs every task that is due now; for a pool that was not started. @returns tasks run */
  async drain(): Promise<number> {
    let done = 0;
    for (;;) {
      const tasks = await this.#options.take(this.#options.concurrency);
      if (tasks.length === 0) return done;
      await Promise.all(tasks.map((task) => task()));
      done += tasks.length;
    }
  }

  /** Stops polling and waits up to `graceMs` for running tasks. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#polled;
    const grace = new AbortController();
    await Promise.race([Promise.all(this.#active), delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
  }

  async #pollPeriodically(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.wake();
      await this.#polled;
      const pause = Math.min(this.#options.pollMs * 2 ** this.#failures, maxPollMs);
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #takeTasks(): Promise<void> {
    const { concurrency, take, onError } = this.#options;
    while (this.#pollAgain && !this.#stopping.signal.aborted) {
      this.#pollAgain = false;
      try {
        while (this.#active.size < concurrency && !this.#stopping.signal.aborted) {
          const tasks = await take(concurrency - this.#active.size);
          if (tasks.length === 0) break;
          for (const task of tasks) this.#run(task);
        }
        this.#failures = 0;
      } catch (error) {
        this.#failures = Math.min(this.#failures + 1, 10);
        onError(error);
      }
    }
  }

  #run(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#active.delete(running);
        this.wake();
      });
    this.#active.add(running);
  }
}
