import { WorkerThread } from '../thread-rpc/index.ts';
import type { PgliteFunctions, PgliteParent } from './pglite-worker.ts';

const closeTimeoutMs = 10_000;

/** A thread in which the embedded PostgreSQL runs; it exchanges bytes of PostgreSQL's wire protocol. Not restarted when it ends. */
export class PgliteThread {
  /** PostgreSQL's code. Threads of a process share it, optimised as it is. */
  static #compiled: WebAssembly.Module | null = null;
  readonly #thread: WorkerThread<PgliteFunctions, PgliteParent>;

  private constructor() {
    this.#thread = new WorkerThread(new URL('./pglite-worker.ts', import.meta.url), {
      name: 'the embedded PostgreSQL',
      functions: {
        failed: (reason) => void this.#thread.terminate(new Error(`the embedded PostgreSQL failed: ${reason}`)),
      },
    });
  }

  /** Serves the database of a directory. Rejects when it cannot be opened. */
  static async open(directory: string): Promise<PgliteThread> {
    const thread = new PgliteThread();
    try {
      PgliteThread.#compiled = await thread.#thread.call('open', directory, PgliteThread.#compiled);
      return thread;
    } catch (error) {
      await thread.terminate();
      throw error;
    }
  }

  /**
   * Creates a database in a directory, in a thread that ends afterwards, which frees the memory of initdb; WebAssembly memory never
   * shrinks.
   */
  static async initialise(directory: string): Promise<void> {
    const thread = new PgliteThread();
    try {
      await thread.#thread.call('initialise', directory);
    } finally {
      await thread.terminate();
    }
  }

  /** Why the thread no longer answers; null while it does. */
  get failure(): Error | null {
    return this.#thread.failure;
  }

  /** Sends whole protocol messages; resolves with the server's answer to them, in the order of the calls. */
  exchange(bytes: Uint8Array): Promise<Uint8Array> {
    return this.#thread.call('exchange', bytes);
  }

  /** Shuts PostgreSQL down, so that the next start has nothing to recover. */
  async close(): Promise<void> {
    const stopped = new Error('the embedded PostgreSQL is closed');
    // After a shutdown that fails or times out the next start recovers.
    await this.#thread.callWithin({ ms: closeTimeoutMs, error: stopped }, 'close').catch(() => undefined);
    await this.#thread.terminate(stopped);
  }

  /** Ends the thread at once; committed data is on disk. */
  async terminate(): Promise<void> {
    await this.#thread.terminate(new Error('the embedded PostgreSQL was stopped'));
  }
}
