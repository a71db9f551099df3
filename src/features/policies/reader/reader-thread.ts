import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyFile } from '../../../contract/policies.ts';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import type { FilesRead } from '../documents/files-read.ts';
import type { ReaderFunctions, ReaderParent } from './reader-worker.ts';

/** Time limit of a request, in milliseconds. Files within the limits of the reader, and the policies of a project, take a part of it. */
const defaultLimitMs = 5_000;
const idleMs = 30_000;
const defaultMemoryMb = 256;

type Thread = WorkerThread<ReaderFunctions, ReaderParent>;

const tooSlow = new Error('policy files took too long');

export interface PolicyReaderOptions {
  /** For tests. */
  limitMs?: number;
  /** The thread's program; for tests. */
  program?: URL;
  /** Memory of the thread, in MiB; for tests. */
  memoryMb?: number;
}

/** Reads and writes policy files in a thread, one request at a time. */
export class ReaderThread {
  readonly #limitMs: number;
  readonly #program: URL;
  readonly #memoryMb: number;
  #thread: Thread | null = null;
  #reading = '';
  #closed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor({ limitMs = defaultLimitMs, program, memoryMb = defaultMemoryMb }: PolicyReaderOptions = {}) {
    this.#limitMs = limitMs;
    this.#program = program ?? new URL('./reader-worker.ts', import.meta.url);
    this.#memoryMb = memoryMb;
  }

  /**
   * Reads files that are within the limits of a request. Files that exceed the time or the memory give a fault at the file that was read.
   *
   * Errors: `unavailable` when it is closed.
   */
  read(files: readonly PolicyFile[]): Promise<FilesRead> {
    return this.#use(async (thread) => {
      this.#reading = '';
      try {
        return await this.#within(thread, (limit) => thread.callWithin(limit, 'read', files));
      } catch (error) {
        const outOfMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
        if (error !== tooSlow && !outOfMemory) throw error;
        const message = `Reading the file takes too much ${outOfMemory ? 'memory' : 'time'}. Make it simpler or smaller.`;
        return { policies: [], references: [], faults: [{ path: this.#reading, line: 1, column: 1, message }] };
      }
    });
  }

  /**
   * Policies as files, as {@link renderedFiles} makes them. @param taken paths of other files
   *
   * Errors: `unavailable` when it takes too long.
   */
  render(policies: readonly Specification[], taken: readonly string[]): Promise<PolicyFile[]> {
    return this.#use(async (thread) => {
      try {
        return await this.#within(thread, (limit) => thread.callWithin(limit, 'render', policies, taken));
      } catch (error) {
        if (error !== tooSlow) throw error;
        throw new ServiceError('unavailable', 'Writing the policies as files took too long; send this again.', {
          retryAfterSeconds: 5,
        });
      }
    });
  }

  /** Ends the thread; requests that are under way are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#thread?.terminate(
      new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 }),
    );
  }

  async #use<Result>(work: (thread: Thread) => Promise<Result>): Promise<Result> {
    clearTimeout(this.#idle);
    return work(await this.#ready());
  }

  /** Runs a call of the thread; one that fails ends the thread. */
  async #within<Result>(thread: Thread, call: (limit: { ms: number; error: Error }) => Promise<Result>): Promise<Result> {
    thread.keepAlive(true);
    try {
      return await call({ ms: this.#limitMs, error: tooSlow });
    } catch (error) {
      await thread.terminate();
      throw error;
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
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
      functions: { reading: (path) => void (this.#reading = path) },
    });
    thread.keepAlive(false);
    this.#thread = thread;
    await thread.call('ready');
    return thread;
  }
}
