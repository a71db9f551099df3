import type { Candidate } from './enqueue.ts';

/** Collects candidates for evaluation up to the size of the queue, and counts the rest. */
export class Candidates {
  readonly kept: Candidate[] = [];
  readonly #max: number;
  #beyond = 0;

  /** @param max evaluations that may wait in the queue */
  constructor(max: number) {
    this.#max = max;
  }

  /** Candidates beyond the size of the queue. */
  get beyond(): number {
    return this.#beyond;
  }

  add(candidate: Candidate): void {
    if (this.kept.length < this.#max) this.kept.push(candidate);
    else this.#beyond++;
  }
}
