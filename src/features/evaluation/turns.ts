import { setImmediate as turn } from 'node:timers/promises';

/** Steps of some microseconds after which others have their turn: some milliseconds. */
const stepsOfTurn = 2_000;

/** Lets others have their turn in a long loop, now and then. */
export class Turns {
  #steps = 0;

  /** @param steps that the loop has taken since it last called; resolves at once while there are few */
  async after(steps: number): Promise<void> {
    this.#steps += steps;
    if (this.#steps < stepsOfTurn) return;
    this.#steps = 0;
    await turn();
  }
}
