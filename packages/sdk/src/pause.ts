import type { Clock } from './clock.ts';

/** Longest pause in milliseconds. */
const maxPauseMs = 30_000;

/** Keeps callers from waiting for an unreachable service: after a failed attempt no other is awaited for as long as that attempt took. */
export class Pause {
  readonly #clock: Clock;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The last attempt failed a moment ago. */
  get holds(): boolean {
    return this.#clock.now() < this.#until;
  }

  /** @param sinceMs when the attempt that failed began */
  failed(sinceMs: number): void {
    const nowMs = this.#clock.now();
    this.#until = nowMs + Math.min(nowMs - sinceMs, maxPauseMs);
  }
}
