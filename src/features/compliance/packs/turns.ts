import { ServiceError } from '../../../contract/errors.ts';

/** Work that waits for its turn; more is refused. */
const maxWaiting = 20;

/** Runs work one after another, since each reads an audit log from end to end. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Errors: those of the work; `unavailable` when {@link maxWaiting} wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= maxWaiting)
      throw new ServiceError('unavailable', 'Many evidence packs are generated and verified now; send this again in a moment.', {
        retryAfterSeconds: 5,
      });
    this.#waiting += 1;
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}
