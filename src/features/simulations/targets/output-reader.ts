import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import { equalOutputs } from './equal-json.ts';
import { ItemError } from './item-error.ts';
import { outputOf } from './output-of.ts';
import type { Output } from './output-of.ts';
import type { outputFunctions } from './output-reader-worker.ts';

/** Shorter texts are read on the main thread: some milliseconds at worst. */
const shortText = 64 * 1024;

/** Reads what targets answer. What is large is read in a worker thread, so that it delays no request. */
export class OutputReader {
  readonly #thread = new OnDemandThread<typeof outputFunctions>(new URL('./output-reader-worker.ts', import.meta.url), {
    name: 'the reader of large outputs',
  });

  /** The output in a target's answer; see {@link outputOf}. Errors: {@link ItemError}. */
  async output(body: Buffer, pointer: string): Promise<Output> {
    if (body.length <= shortText) return outputOf(body, pointer);
    try {
      return await this.#thread.call('outputOf', body, pointer);
    } catch (error) {
      // Threads pass on an error without its class.
      throw error instanceof Error && error.name === 'ItemError' ? new ItemError(error.message, { cause: error }) : error;
    }
  }

  /** Whether two JSON texts have the same value; see {@link equalOutputs}. */
  async areEqual(output: string, expected: string): Promise<boolean> {
    return output.length + expected.length <= shortText
      ? equalOutputs(output, expected)
      : this.#thread.call('equalOutputs', output, expected);
  }

  /** Ends the thread; pending calls are rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
