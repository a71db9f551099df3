import { ServiceError } from '../../contract/errors.ts';

/** Maximum pieces of work that wait in one queue; further ones are rejected. */
const maxWaiting = 100;

/** Named queues that each run one piece of work at a time, in order of arrival. In this process only. */
export class Queues {
  readonly #queues = new Map<string, { tail: Promise<void>; waiting: number }>();

  /**
   * Runs `work` after all earlier work of the same name has ended, successfully or not.
   *
   * Errors: those of `work`; `rate_limited` when too many wait.
   */
  async next<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { tail: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= maxWaiting) {
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
