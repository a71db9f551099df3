import type { Answer, Arguments } from './channel.ts';
import { WorkerThread } from './worker-thread.ts';
import type { CallLimit } from './worker-thread.ts';

interface OnDemandThreadOptions {
  /** Names the thread in errors. */
  name: string;
  /** Idle time after which the thread ends, in milliseconds. */
  idleMs?: number;
}

const defaultIdleMs = 30_000;

/**
 * A worker thread for rare, slow work: it starts with the first call and ends when it has been idle. It runs one call at a time. When the thread
 * fails, its calls are rejected and the next call starts a new thread.
 */
export class OnDemandThread<Functions extends object> {
  readonly #program: URL;
  readonly #name: string;
  readonly #idleMs: number;
  #thread: WorkerThread<Functions> | null = null;
  #calls = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param program a module that calls `serveParent` */
  constructor(program: URL, { name, idleMs = defaultIdleMs }: OnDemandThreadOptions) {
    this.#program = program;
    this.#name = name;
    this.#idleMs = idleMs;
  }

  /** Calls a function of the thread. Errors: what the function throws; an error that names the thread when it ends before it returns. */
  call<Name extends keyof Functions & string>(
    name: Name,
    ...given: Arguments<Functions, Name>
  ): Promise<Answer<Functions, Name>> {
    return this.#use((thread) => thread.call(name, ...given));
  }

  /** Calls a function of the thread, and terminates the thread when the call exceeds its time limit, which includes the thread's start. */
  callWithin<Name extends keyof Functions & string>(
    limit: CallLimit,
    name: Name,
    ...given: Arguments<Functions, Name>
  ): Promise<Answer<Functions, Name>> {
    return this.#use((thread) => thread.callWithin(limit, name, ...given));
  }

  async #use<Result>(work: (thread: WorkerThread<Functions>) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error(`${this.#name} is closed`);
    clearTimeout(this.#idle);
    if (this.#thread === null || this.#thread.failure !== null) {
      this.#thread = new WorkerThread<Functions>(this.#program, { name: this.#name });
      this.#thread.keepAlive(false);
    }
    this.#calls += 1;
    try {
      return await work(this.#thread);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0 && !this.#closed) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  /** Terminates the thread; pending calls are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate(new Error(`${this.#name} has ended`));
  }
}
