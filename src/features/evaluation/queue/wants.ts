import type { Wanted } from './enqueue.ts';

/** What is wanted of a queue: of what it has room for at most each, and of the rest how many. */
export class Wants {
  readonly kept: Wanted[] = [];
  readonly #most: number;
  #beyond = 0;

  /** @param most evaluations that may wait in the queue */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many were not kept: the queue has no room for them, even if nothing waits. */
  get beyond(): number {
    return this.#beyond;
  }

  add(wanted: Wanted): void {
    if (this.kept.length < this.#most) this.kept.push(wanted);
    else this.#beyond++;
  }
}
