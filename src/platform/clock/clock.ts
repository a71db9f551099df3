/** The only source of time in the service: tests replace it, so that no test has to sleep. */
export interface Clock {
  /** Now, in epoch milliseconds (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to move. For tests, and for `spanwise seed`. */
export class ManualClock implements Clock {
  #now: number;

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  /** Moves by `ms` milliseconds; a negative value steps back, as a machine's clock may. */
  advance(ms: number): void {
    this.#now += ms;
  }

  set(ms: number): void {
    this.#now = ms;
  }
}
