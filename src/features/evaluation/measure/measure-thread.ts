import { LRUCache } from 'lru-cache';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import { EvaluationError } from '../evaluation-error.ts';
import type { Calculations } from './calculations.ts';
import { canonicalJson, foldCase } from './canonical-json.ts';
import { compare, similarityOf } from './edit-distance.ts';
import { compilePattern, PatternRefused } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';
import type { MeasureFunctions, MeasureResult, MeasureTask } from './measure-worker.ts';

/** UTF-16 code units of texts that the main thread compares: some milliseconds at worst. */
const comparedAtOnce = 4_096;
/** Instructions of a pattern times characters that the main thread searches: some milliseconds at worst. */
const searchedAtOnce = 400_000;
/** The product of the lengths of two texts of which the main thread looks for one in the other. */
const lookedThroughAtOnce = 10_000_000;
/** The cost of folding case, as characters of the text that is looked for. */
const stepsOfFolding = 100;

/** Time limits of tasks, in milliseconds. */
const timeLimits = { similarity: 30_000, schema: 5_000, 'refused-schema': 5_000, pattern: 5_000, contains: 5_000 };
/** Tasks that wait for the thread, with their texts in memory. */
const maxWaiting = 100;
/** Waiting tasks at which schemas of new evaluators are refused, so that evaluations have room. */
const maxBeforeSaving = 10;
const maxPatterns = 20;

type Thread = WorkerThread<MeasureFunctions>;

interface Waiting {
  task: MeasureTask;
  resolve(result: MeasureResult): void;
  reject(error: EvaluationError): void;
}

export interface MeasureThreadOptions {
  /** The time limit of every task; for tests. */
  limitMs?: number;
}

/**
 * Runs calculations that may take long in a thread, one at a time, and ends a task at its time limit: checking a value under a schema may
 * take exponential time. Small tasks run in the main thread. The thread starts when it is first needed and does not keep the process alive.
 */
export class MeasureThread implements Calculations {
  readonly #waiting: Waiting[] = [];
  readonly #patterns = new LRUCache<string, LinearPattern>({ max: maxPatterns });
  readonly #limitMs: number | undefined;
  #thread: Thread | null = null;
  #working = false;
  #closed = false;

  constructor({ limitMs }: MeasureThreadOptions = {}) {
    this.#limitMs = limitMs;
  }

  async similarity(left: string, right: string): Promise<number> {
    if (left === right) return 1;
    if (Math.max(left.length, right.length) <= comparedAtOnce) return similarityOf(compare(left, right));
    return (await this.#ask({ kind: 'similarity', left, right })) as number;
  }

  async schemaProblem(schema: object, value: unknown): Promise<string | null> {
    // `canonicalJson` bounds the depth; `JSON.stringify` would overflow the stack.
    return (await this.#ask({ kind: 'schema', schema: JSON.stringify(schema), value: canonicalJson(value) })) as string | null;
  }

  async refusedSchema(schema: object): Promise<string | null> {
    return (await this.#ask({ kind: 'refused-schema', schema: JSON.stringify(schema) })) as string | null;
  }

  async contains(text: string, value: string, ignoreCase: boolean): Promise<boolean> {
    if (text.length * (value.length + (ignoreCase ? stepsOfFolding : 0)) > lookedThroughAtOnce)
      return (await this.#ask({ kind: 'contains', text, value, ignoreCase })) as boolean;
    return ignoreCase ? foldCase(text).includes(foldCase(value)) : text.includes(value);
  }

  async found(pattern: string, flags: string, text: string): Promise<boolean> {
    const compiled = this.#pattern(pattern, flags);
    if (compiled.size * text.length <= searchedAtOnce) return compiled.test(text);
    return (await this.#ask({ kind: 'pattern', pattern, flags, text })) as boolean;
  }

  /** Compiled patterns are cached: compiling takes longer than a short search. */
  #pattern(pattern: string, flags: string): LinearPattern {
    const key = `${flags}/${pattern}`;
    const known = this.#patterns.get(key);
    if (known) return known;
    try {
      const compiled = compilePattern(pattern, flags);
      this.#patterns.set(key, compiled);
      return compiled;
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error;
      throw new EvaluationError(`The pattern ${error.message}.`, { retryable: false });
    }
  }

  /** Ends the thread; running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closing = new EvaluationError('The service is shutting down; the evaluation will be retried.', { retryable: true });
    for (const { reject } of this.#waiting.splice(0)) reject(closing);
    await this.#thread?.terminate(closing);
  }

  async #ask(task: MeasureTask): Promise<unknown> {
    const limit = task.kind === 'refused-schema' ? maxBeforeSaving : maxWaiting;
    if (this.#closed || this.#waiting.length >= limit) {
      throw new EvaluationError('Too many evaluations wait to be calculated; this one will be retried.', { retryable: true });
    }
    const answer = await new Promise<MeasureResult>((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      void this.#work();
    });
    if ('refused' in answer) throw new EvaluationError(answer.refused, { retryable: false });
    return answer.result;
  }

  /** Runs the waiting tasks, one at a time. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    while (this.#waiting.length > 0) {
      const thread = await this.#ready();
      const next = thread && this.#waiting.shift();
      if (next) await this.#carryOut(thread, next);
    }
    this.#working = false;
  }

  /** Returns the thread and starts it if necessary; null when it cannot start, in which case all waiting tasks have failed. */
  async #ready(): Promise<Thread | null> {
    if (this.#thread?.failure === null) return this.#thread;
    const thread: Thread = new WorkerThread(new URL('./measure-worker.ts', import.meta.url), {
      name: 'the measuring thread',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    this.#thread = thread;
    try {
      await thread.call('ready');
      return thread;
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(failureOf(error));
      return null;
    }
  }

  async #carryOut(thread: Thread, { task, resolve, reject }: Waiting): Promise<void> {
    const ms = this.#limitMs ?? timeLimits[task.kind];
    const message = `Measuring took longer than ${ms / 1000} seconds; simplify the evaluator or evaluate shorter values.`;
    // The thread keeps the process alive only while a task runs.
    thread.keepAlive(true);
    try {
      resolve(await thread.callWithin({ ms, error: new EvaluationError(message, { retryable: false }) }, 'measure', task));
    } catch (error) {
      reject(failureOf(error));
      await thread.terminate();
    } finally {
      thread.keepAlive(false);
    }
  }
}

/** The error of a task whose thread failed, usually for lack of memory. */
function failureOf(cause: unknown): EvaluationError {
  if (cause instanceof EvaluationError) return cause;
  return new EvaluationError('Measuring failed; simplify the evaluator or evaluate shorter values.', { retryable: false, cause });
}
