import type { PolicyFile } from '../../../contract/policies.ts';
import { turnLimits, turnsOf } from '../../../platform/budgets/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import type { FilesRead } from '../documents/files-read.ts';
import { ReaderThread } from './reader-thread.ts';
import type { PolicyReaderOptions } from './reader-thread.ts';

/**
 * Reads and writes policy files in threads: the YAML of a large project takes longer than other requests may wait. Projects take turns, each with one
 * thread, so that files that take all of their time delay no other project by as much.
 */
export class PolicyReader {
  readonly #turns = turnsOf('policyReads');
  readonly #all: ReaderThread[];
  readonly #free: ReaderThread[];

  constructor(options: PolicyReaderOptions = {}) {
    this.#all = Array.from({ length: turnLimits.policyReads.running }, () => new ReaderThread(options));
    this.#free = [...this.#all];
  }

  /**
   * Reads files that are within the limits of a request. Files that exceed the time or the memory give a fault at the file that was read.
   *
   * Errors: `unavailable` when too many requests wait.
   */
  read(projectId: string, files: readonly PolicyFile[]): Promise<FilesRead> {
    return this.#enqueue(projectId, (thread) => thread.read(files));
  }

  /**
   * Policies as files, as {@link renderedFiles} makes them. @param taken paths of other files
   *
   * Errors: `unavailable` when too many requests wait, or this one takes too long.
   */
  render(projectId: string, policies: readonly Specification[], taken: readonly string[]): Promise<PolicyFile[]> {
    return this.#enqueue(projectId, (thread) => thread.render(policies, taken));
  }

  /** Ends the threads; requests that are under way are rejected. */
  async close(): Promise<void> {
    for (const thread of this.#all) await thread.close();
  }

  #enqueue<Result>(projectId: string, work: (thread: ReaderThread) => Promise<Result>): Promise<Result> {
    return this.#turns.run(projectId, async () => {
      // The last one that was free is the one that is warm.
      const thread = this.#free.pop();
      if (!thread) throw new Error('more turns run than there are threads');
      try {
        return await work(thread);
      } finally {
        this.#free.push(thread);
      }
    });
  }
}
