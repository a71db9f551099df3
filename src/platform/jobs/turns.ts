/** Runs work one after another. */
export class Turns {
  readonly #max: number;
  readonly #busy: () => Error;
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /**
   * @param max work that runs or waits for its turn; more is refused
   * @param busy the error of what is refused
   */
  constructor(max: number, busy: () => Error) {
    this.#max = max;
    this.#busy = busy;
  }

  /** Errors: those of the work; `busy` when too much waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending >= this.#max) throw this.#busy();
    this.#pending += 1;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
    }
  }
}
