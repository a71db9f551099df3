import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyFile } from '../../../contract/policies.ts';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import type { FilesRead } from '../documents/read-files.ts';
import type { ReaderFunctions, ReaderParent } from './reader-worker.ts';

/** Time limit for the files of a request, in milliseconds. Files within the limits of the reader take a part of it. */
const defaultLimitMs = 5_000;
/** Requests that wait for the thread, with their files in memory. */
const maxWaiting = 20;
const idleMs = 30_000;

type Thread = WorkerThread<ReaderFunctions, ReaderParent>;

export interface PolicyReaderOptions {
  /** For tests. */
  limitMs?: number;
  /** The thread's program; for tests. */
  program?: URL;
}

/** Reads policy files in a thread, one request at a time. A request that exceeds its time or memory gets a fault at the file that was read. */
export class PolicyReader {
  readonly #limitMs: number;
  readonly #program: URL;
  #thread: Thread | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #reading = '';
  #closed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor({ limitMs = defaultLimitMs, program = new URL('./reader-worker.ts', import.meta.url) }: PolicyReaderOptions = {}) {
    this.#limitMs = limitMs;
    this.#program = program;
  }

  /** Reads files that are within the limits of a request. Errors: `unavailable` when too many wait. */
  async read(files: readonly PolicyFile[]): Promise<FilesRead> {
    if (this.#closed || this.#waiting >= maxWaiting) {
      throw new ServiceError('unavailable', 'The service is reading as many policy files as it can; send this again.', {
        retryAfterSeconds: 5,
      });
    }
    this.#waiting += 1;
    const result = this.#last.then(() => this.#read(files)).finally(() => (this.#waiting -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread; files that are being read are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#thread?.terminate(
      new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 }),
    );
  }

  async #read(files: readonly PolicyFile[]): Promise<FilesRead> {
    clearTimeout(this.#idle);
    const thread = await this.#ready();
    const tooSlow = new Error('reading policy files took too long');
    thread.keepAlive(true);
    try {
      return await thread.callWithin({ ms: this.#limitMs, error: tooSlow }, 'read', files);
    } catch (error) {
      const outOfMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
      await thread.terminate();
      if (error !== tooSlow && !outOfMemory) throw error;
      const message = `Reading the file takes too much ${outOfMemory ? 'memory' : 'time'}. Make it simpler or smaller.`;
      return { policies: [], references: [], faults: [{ path: this.#reading, line: 1, column: 1, message }] };
    } finally {
      thread.keepAlive(false);
      this.#idle = setTimeout(() => void this.#thread?.terminate(), idleMs).unref();
    }
  }

  async #ready(): Promise<Thread> {
    if (this.#closed)
      throw new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 });
    if (this.#thread?.failure === null) return this.#thread;
    const thread: Thread = new WorkerThread(this.#program, {
      name: 'the reader of policy files',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      functions: { reading: (path) => void (this.#reading = path) },
    });
    thread.keepAlive(false);
    this.#thread = thread;
    this.#reading = '';
    await thread.call('ready');
    return thread;
  }
}
