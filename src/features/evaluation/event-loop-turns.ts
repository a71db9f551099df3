import { setImmediate as nextTurn } from 'node:timers/promises';

/** Steps of some microseconds each: some milliseconds. */
const stepsPerTurn = 2_000;

/** Yields to the event loop every 2,000 steps of a long loop. */
export class EventLoopTurns {
  #steps = 0;

  /** @param steps taken since the last call */
  async after(steps: number): Promise<void> {
    this.#steps += steps;
    if (this.#steps < stepsPerTurn) return;
    this.#steps = 0;
    await nextTurn();
  }
}
