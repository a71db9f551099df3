import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** A clock that a test moves. */
export class ManualClock implements Clock {
  #ms: number;
  #timers: Array<{ atMs: number; call: () => void }> = [];

  constructor(ms: number = Date.UTC(2026, 10, 20, 10)) {
    this.#ms = ms;
  }

  now(): number {
    return this.#ms;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { atMs: this.#ms + Math.max(0, ms), call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Milliseconds until the next timer; Infinity without one. */
  untilNext(): number {
    return Math.min(...this.#timers.map(({ atMs }) => atMs)) - this.#ms;
  }

  /** Moves the time on, and calls what falls due one after the other; what each starts is done before the next. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#ms + ms;
    await settle();
    for (;;) {
      const next = this.#timers.toSorted((left, right) => left.atMs - right.atMs)[0];
      if (!next || next.atMs > endMs) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#ms = Math.max(this.#ms, next.atMs);
      next.call();
      await settle();
    }
    this.#ms = endMs;
  }
}

/** Lets everything finish that waits for no timer. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 1; round += 1) await setImmediate();
}
