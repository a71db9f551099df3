import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';
import { openChannel } from './channel.ts';
import type { Answer, Arguments, Channel } from './channel.ts';

export interface WorkerThreadOptions<Parent> {
  /** Names the thread in errors: "the batch builder". */
  name: string;
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
  /** What the thread may call here. */
  functions?: Parent;
}

/** The longest time of a call. */
export interface CallLimit {
  ms: number;
  /** Rejects the call, and every other that is pending. */
  error: Error;
}

/**
 * A worker thread whose functions this thread calls. A thread that has ended stays so: its owner starts another when it wants one.
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
   * Calls a function of the thread. Calls arrive in the order in which they are made.
   *
   * Errors: what the function throws, as `receiveError` describes; {@link WorkerThread.failure} when the thread ends or has ended.
   */
  call<Name extends keyof Functions & string>(
    name: Name,
    ...given: Arguments<Functions, Name>
  ): Promise<Answer<Functions, Name>> {
    return this.#failure ? Promise.reject(this.#failure) : this.#channel.call(name, ...given);
  }

  /** Calls a function of the thread, and terminates the thread when it has not answered in time. */
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

  /** Whether the process waits for the thread before it exits by itself; a new thread is waited for. */
  keepAlive(waits: boolean): void {
    if (waits) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends the thread at once, in the middle of what it does; pending calls are rejected with `reason`. */
  async terminate(reason: Error = new Error('the thread was terminated')): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#failure ??= error;
    this.#channel.rejectPending(this.#failure);
  }
}
