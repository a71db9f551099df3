/** How much work of one kind may run and wait in this process. `One` is one key: a project, an organization or an address. */
export interface TurnLimits {
  running: number;
  /** So that work that hangs delays only its own key. Default: `running`. */
  runningOfOne?: number;
  waiting: number;
  /** Default: `waiting`. */
  waitingOfOne?: number;
  /** Maximum wait in milliseconds; default: no limit. */
  waitMs?: number;
}

/** The errors of work that was not started. */
export interface TurnErrors {
  /** Too much waits, or it waited for too long. */
  busy(): Error;
  /** The signal aborted before the work had its turn; default {@link TurnErrors.busy}. */
  aborted?(): Error;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/**
 * Limits the work of one kind in progress in this process. Further work waits in bounded queues, one for each key, which take turns: a key with a
 * hundred waiting delays another by one. Beyond the limits work is refused.
 */
export class Turns {
  readonly #limits: Required<Omit<TurnLimits, 'waitMs'>> & { waitMs: number | null };
  readonly #errors: Required<TurnErrors>;
  readonly #runningOf = new Map<string, number>();
  /** By key; the key that was served last stands last. */
  readonly #queues = new Map<string, Set<Waiting>>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits, errors: TurnErrors) {
    const { running, runningOfOne = running, waiting, waitingOfOne = waiting, waitMs = null } = limits;
    this.#limits = { running, runningOfOne, waiting, waitingOfOne, waitMs };
    this.#errors = { busy: errors.busy, aborted: errors.aborted ?? errors.busy };
  }

  /** Work that runs and that waits now. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /**
   * Runs `work` when it is the key's turn.
   *
   * @param signal ends the wait; the work that runs has to watch it itself
   *
   * Errors: those of the work; `busy` and `aborted` of {@link TurnErrors}.
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw this.#errors.aborted();
    if (this.#hasRoom(key)) this.#take(key);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  /** Refuses what waits, with the given error. What runs goes on. */
  refuseWaiting(error: () => Error): void {
    for (const [key, queue] of this.#queues) for (const waiting of queue) this.#leave(key, waiting, error());
  }

  async #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting: most, waitingOfOne, waitMs } = this.#limits;
    const queue = this.#queues.get(key) ?? new Set();
    if (this.#waiting >= most || queue.size >= waitingOfOne) throw this.#errors.busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { start: resolve, refuse: reject };
    this.#queues.set(key, queue.add(waiting));
    this.#waiting += 1;
    const abort = () => this.#leave(key, waiting, this.#errors.aborted());
    signal?.addEventListener('abort', abort, { once: true });
    const timer = waitMs === null ? undefined : setTimeout(() => this.#leave(key, waiting, this.#errors.busy()), waitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #leave(key: string, waiting: Waiting, error: Error): void {
    if (this.#remove(key, waiting)) waiting.refuse(error);
  }

  #remove(key: string, waiting: Waiting): boolean {
    const queue = this.#queues.get(key);
    if (!queue?.delete(waiting)) return false;
    if (queue.size === 0) this.#queues.delete(key);
    this.#waiting -= 1;
    return true;
  }

  #hasRoom(key: string): boolean {
    const { running, runningOfOne } = this.#limits;
    return this.#running < running && (this.#runningOf.get(key) ?? 0) < runningOfOne;
  }

  #take(key: string): void {
    this.#running += 1;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  #release(key: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(key) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
    this.#startNext();
  }

  /** One release starts one: the first of the key that was served longest ago, among those below their limit. */
  #startNext(): void {
    for (const [key, queue] of this.#queues) {
      if (!this.#hasRoom(key)) continue;
      const [next] = queue;
      if (!next) continue;
      this.#remove(key, next);
      // Last in the order of turns.
      if (this.#queues.delete(key)) this.#queues.set(key, queue);
      this.#take(key);
      next.start();
      return;
    }
  }
}
