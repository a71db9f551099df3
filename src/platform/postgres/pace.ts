import { setTimeout as delay } from 'node:timers/promises';

/** Time that a slice should take, in milliseconds: a request of others has some statements, and each may wait for one slice. */
const sliceMs = 25;
const longestPauseMs = 100;
const fewestRows = 20;

/**
 * The pace of work on many rows in slices. A slice takes some 25 ms, however fast the database is, and a pause as long, in which the database serves others,
 * comes before the next one.
 */
export class Pace {
  readonly #most: number;
  #rows: number;
  #pauseMs = 0;

  /** @param most rows of a slice */
  constructor(most: number) {
    this.#most = most;
    this.#rows = Math.min(most, 100);
  }

  /** Runs one slice. @param work with the number of rows that it should take */
  async slice<T>(work: (rows: number) => Promise<T>): Promise<T> {
    if (this.#pauseMs > 0) await delay(this.#pauseMs);
    const started = performance.now();
    const done = await work(this.#rows);
    const tookMs = Math.max(performance.now() - started, 1);
    this.#rows = Math.round(Math.min(this.#most, Math.max(fewestRows, (this.#rows * sliceMs) / tookMs)));
    this.#pauseMs = Math.min(tookMs, longestPauseMs);
    return done;
  }
}
