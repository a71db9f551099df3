import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';

/** Answers held back at a time; each costs a timer and a connection. */
const most = 5_000;

/**
 * Holds back the answers to those who are refused for a moment. Clients that try again at once, over many connections, would keep the event loop busy
 * with refusals, and everybody else would wait.
 */
export class HeldBack {
  readonly #ms: number;
  #held = 0;

  /** @param ms milliseconds of real time; 0 holds nothing back */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Resolves after the moment, or at once when too many are held back. */
  async wait(): Promise<void> {
    if (this.#ms === 0 || this.#held >= most) return;
    this.#held += 1;
    await delay(this.#ms, undefined, { ref: false });
    this.#held -= 1;
  }
}

/** Does work, and holds it back where it ends in `rate_limited`. */
export async function heldIfRefused<T>(heldBack: HeldBack, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_limited') await heldBack.wait();
    throw error;
  }
}
