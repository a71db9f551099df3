import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';
import { openChannel } from './channel.ts';
import type { Answer, Arguments, Channel } from './channel.ts';

export interface WorkerThreadOptions<Parent> {
  /** Names the thread in errors: "the batch builder". */
  name: string;
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
  /** Functions that the thread may call here. */
  functions?: Parent;
}

/** The longest time of a call. */
export interface CallLimit {
  ms: number;
  /** Rejects the call, and every other that is pending. */
  error: Error;
}

/**
 * A worker thread whose functions this thread calls. It does not restart by itself.
 *
 * `Functions` are the functions that the worker gives to `serveParent`, `Parent` those that it may call here.
 */
export class WorkerThread<Functions extends object, Parent extends object = object> {
  readonly #worker: Worker;
  readonly #channel: Channel<Functions>;
  #failure: Error | null = null;

  /** Starts the thread. A program that cannot be loaded rejects the first calls. */
  constructor(program: URL, { name, workerData, resourceLimits, functions }: WorkerThreadOptions<Parent>) {
    this.#worker = new Worker(program, { workerData, ...(resourceLimits && { resourceLimits }) });
    this.#channel = openChannel<Functions>(this.#worker, functions ?? {});
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#end(new Error(`${name} has ended`)));
  }

  /** Why the thread can no longer be called; null while it can. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Calls a function of the thread. Calls arrive in order.
   *
   * Errors: what the function throws, as `receiveError` describes; {@link WorkerThread.failure} when the thread ends or has ended.
   */
  call<Name extends keyof Functions & string>(
    name: Name,
    ...given: Arguments<Functions, Name>
  ): Promise<Answer<Functions, Name>> {
    return this.#failure ? Promise.reject(this.#failure) : this.#channel.call(name, ...given);
  }

  /** Calls a function of the thread, and terminates the thread when the call exceeds its time limit. */
  async callWithin<Name extends keyof Functions & string>(
    limit: CallLimit,
    name: Name,
    ...given: Arguments<Functions, Name>
  ): Promise<Answer<Functions, Name>> {
    const timer = setTimeout(() => void this.terminate(limit.error), limit.ms);
    try {
      return await this.call(name, ...given);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the thread keeps the process alive (`ref`, `unref`); a new thread does. */
  keepAlive(waits: boolean): void {
    if (waits) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Terminates the thread immediately; pending calls are rejected with `reason`. */
  async terminate(reason: Error = new Error('the thread was terminated')): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#failure ??= error;
    this.#channel.rejectPending(this.#failure);
  }
}
