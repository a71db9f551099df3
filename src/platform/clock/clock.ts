/** The only source of time in the service; tests replace it instead of sleeping. */
export interface Clock {
  /** Now, in epoch milliseconds (UTC). */
  now(): number;
}

/**
 * Clocks of replicas that share a database differ by less, in milliseconds. A time that is farther ahead comes from a clock that was set
 * back since.
 */
export const maxClockDifferenceMs = 300_000;

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that moves only when `advance` or `set` is called. For tests. */
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
