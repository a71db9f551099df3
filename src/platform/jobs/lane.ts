import { setTimeout as delay } from 'node:timers/promises';

export interface LaneOptions {
  /** Most pieces of work at once. */
  concurrency: number;
  /** Milliseconds between two looks for work that nobody woke the lane for: what other processes queued, and what has become due. */
  pollMs: number;
  /** Takes at most `most` pieces of work that are due; none: there are no more just now. */
  take(most: number): Promise<ReadonlyArray<() => Promise<void>>>;
  /** Told of a look or a piece of work that failed; what becomes of the work is for whoever keeps it to say. */
  onError(error: unknown): void;
}

const longestPollMs = 30_000;

/** Does queued work as it becomes due, a bounded number of pieces at a time. Where it is queued, durably, is the caller's. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #stopping = new AbortController();
  readonly #active = new Set<Promise<void>>();
  #polling: Promise<void> = Promise.resolve();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #started = false;
  #failures = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  start(): void {
    this.#started = true;
    this.#polling = this.#poll();
  }

  /** Says that there is work. Does nothing in a lane that was not started. */
  wake(): void {
    if (!this.#started || this.#stopping.signal.aborted) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  /** Does what is due now, of a lane that was not started, and resolves when there is no more. @returns pieces of work done */
  async drain(): Promise<number> {
    let done = 0;
    for (;;) {
      const work = await this.#options.take(this.#options.concurrency);
      if (work.length === 0) return done;
      await Promise.all(work.map((piece) => piece()));
      done += work.length;
    }
  }

  /** Takes no more work, and lets what is under way go on for at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    await this.#looking;
    const grace = new AbortController();
    await Promise.race([Promise.all(this.#active), delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.wake();
      await this.#looking;
      const pause = Math.min(this.#options.pollMs * 2 ** this.#failures, longestPollMs);
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { concurrency, take, onError } = this.#options;
    while (this.#lookAgain && !this.#stopping.signal.aborted) {
      this.#lookAgain = false;
      try {
        while (this.#active.size < concurrency && !this.#stopping.signal.aborted) {
          const work = await take(concurrency - this.#active.size);
          if (work.length === 0) break;
          for (const piece of work) this.#run(piece);
        }
        this.#failures = 0;
      } catch (error) {
        this.#failures = Math.min(this.#failures + 1, 10);
        onError(error);
      }
    }
  }

  #run(piece: () => Promise<void>): void {
    const running = piece()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#active.delete(running);
        this.wake();
      });
    this.#active.add(running);
  }
}
