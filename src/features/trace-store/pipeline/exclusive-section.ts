/** Runs pieces of work one after the other, in the order in which they were given. */
export class ExclusiveSection {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything that was given before has ended. Rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
