import { ServiceError } from '../../contract/errors.ts';

/** Most that wait in one queue; what comes then is refused, not kept. */
const mostWaiting = 100;

/** Queues by name, each of which runs one piece of work at a time, in the order it came. In this process alone. */
export class Queues {
  readonly #queues = new Map<string, { tail: Promise<void>; waiting: number }>();

  /**
   * Runs `work` when all that came before under the same name is done, well or not.
   *
   * Errors: those of `work`; `rate_limited` when too many wait.
   */
  async next<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { tail: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= mostWaiting) {
      throw new ServiceError('rate_limited', 'Too many sign-ins at once; wait a moment and try again.', { retryAfterSeconds: 1 });
    }
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const before = queue.tail;
    queue.tail = done;
    queue.waiting += 1;
    this.#queues.set(name, queue);
    await before;
    try {
      return await work();
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#queues.delete(name);
      finish();
    }
  }
}
