import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import type { answerFunctions } from './answer-reader-worker.ts';
import { readAnswer } from './read-answer.ts';
import type { ReadAnswerOptions } from './read-answer.ts';

/** Shorter answers are read on the main thread: some milliseconds at worst. */
const shortAnswer = 64 * 1024;

/** Reads answers of model servers. A large one is read in a worker thread, so that it delays no request. */
export class AnswerReader {
  readonly #thread = new OnDemandThread<typeof answerFunctions>(new URL('./answer-reader-worker.ts', import.meta.url), {
    name: 'the reader of large answers',
  });

  /** See {@link readAnswer}. */
  async read(body: Buffer, options: ReadAnswerOptions): Promise<ReturnType<typeof readAnswer>> {
    return body.length > shortAnswer ? this.#thread.call('readAnswer', body, options) : readAnswer(body, options);
  }

  /** Ends the thread; pending calls are rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
