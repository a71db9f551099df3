import { setTimeout as wait } from 'node:timers/promises';

/** Attempts at a receiver at a time. */
const maxOfReceiver = 2;

/** Limits the attempts at each receiver at a time, so that one that hangs does not delay others. */
export class ReceiverTurns {
  readonly #running = new Map<string, Set<Promise<void>>>();

  /**
   * Waits until fewer than {@link maxOfReceiver} attempts at a receiver run.
   *
   * @param waitMs how long to wait at most, in milliseconds
   * @returns ends the turn; null if none became free in time
   */
  async enter(receiver: string, waitMs: number): Promise<(() => void) | null> {
    const ended = new AbortController();
    const late = wait(waitMs, false, { signal: ended.signal }).catch(() => false);
    try {
      for (;;) {
        const running = this.#running.get(receiver) ?? new Set();
        if (running.size < maxOfReceiver) return this.#start(receiver, running);
        const free = await Promise.race([late, ...[...running].map((one) => one.then(() => true))]);
        if (!free) return null;
      }
    } finally {
      ended.abort();
    }
  }

  #start(receiver: string, running: Set<Promise<void>>): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    running.add(promise);
    this.#running.set(receiver, running);
    return () => {
      running.delete(promise);
      if (running.size === 0) this.#running.delete(receiver);
      resolve();
    };
  }
}
