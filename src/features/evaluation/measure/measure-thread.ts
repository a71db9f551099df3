import { Worker } from 'node:worker_threads';
import { EvaluationError } from '../types/evaluator-type.ts';
import type { Calculations } from '../types/evaluator-type.ts';
import { canonicalJson, foldCase } from './canonical-json.ts';
import { compare, similarityOf } from './edit-distance.ts';
import { compilePattern, PatternRefused } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';
import type { MeasureResult, MeasureTask } from './measure-worker.ts';

/** Texts up to this length, in UTF-16 units, are compared at once in the main thread: some milliseconds at worst. */
const comparedAtOnce = 4_096;
/** Instructions of a pattern times characters that are searched at once in the main thread: some milliseconds at worst. */
const searchedAtOnce = 400_000;
/** The same of a text that is looked for: its length times that of the other. */
const lookedThroughAtOnce = 10_000_000;
/** What folding the case of a text adds to that: as much as so many characters to look for. */
const stepsOfFolding = 100;

/** Longest time of one task, in milliseconds. */
const timeLimits = { similarity: 30_000, schema: 5_000, 'refused-schema': 5_000, pattern: 5_000, contains: 5_000 };
/** Tasks that wait for the thread; they hold their texts. */
const mostWaiting = 100;
/** With so many before them schemas that somebody would save are not looked at: evaluations are to have room. */
const mostBeforeSaving = 10;
const mostPatterns = 20;

interface Waiting {
  task: MeasureTask;
  resolve(result: MeasureResult): void;
  reject(error: EvaluationError): void;
}

export interface MeasureThreadOptions {
  /** Longest time of a task, for tests. */
  limitMs?: number;
}

/**
 * Calculates in a thread of its own what may take long, one task at a time, and gives up on a task at its time limit: a schema can be
 * written so that checking a value never ends. Small tasks are done at once. The thread is started when it is first needed and keeps
 * no process alive.
 */
export class MeasureThread implements Calculations {
  readonly #waiting: Waiting[] = [];
  readonly #patterns = new Map<string, LinearPattern>();
  readonly #limitMs: number | undefined;
  #worker: Worker | null = null;
  #running: Waiting | null = null;
  #ready = false;
  #timer: NodeJS.Timeout | null = null;
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
    // Bounded in depth, unlike JSON.stringify, which would overflow the stack.
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

  /** Compiled patterns are kept: making one takes longer than a short search. */
  #pattern(pattern: string, flags: string): LinearPattern {
    const key = `${flags}/${pattern}`;
    const known = this.#patterns.get(key);
    if (known) return known;
    try {
      const compiled = compilePattern(pattern, flags);
      if (this.#patterns.size >= mostPatterns) this.#patterns.clear();
      this.#patterns.set(key, compiled);
      return compiled;
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error;
      throw new EvaluationError(`The pattern ${error.message}.`, { retryable: false });
    }
  }

  /** Ends the thread; tasks under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop(new EvaluationError('The service is going down; the evaluation is tried again.', { retryable: true }));
    for (const waiting of this.#waiting.splice(0)) {
      waiting.reject(new EvaluationError('The service is going down; the evaluation is tried again.', { retryable: true }));
    }
  }

  async #ask(task: MeasureTask): Promise<unknown> {
    const most = task.kind === 'refused-schema' ? mostBeforeSaving : mostWaiting;
    if (this.#closed || this.#waiting.length >= most) {
      throw new EvaluationError('Too many evaluations wait to be calculated; this one is tried again.', { retryable: true });
    }
    const answer = await new Promise<MeasureResult>((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#next();
    });
    if ('refused' in answer) throw new EvaluationError(answer.refused, { retryable: false });
    return answer.result;
  }

  #next(): void {
    if (this.#running || this.#waiting.length === 0) return;
    const worker = (this.#worker ??= this.#start());
    if (!this.#ready) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#running = next;
    const limitMs = this.#limitMs ?? timeLimits[next.task.kind];
    this.#timer = setTimeout(() => {
      const message = `Measuring took longer than ${limitMs / 1000} seconds; simplify the evaluator or evaluate shorter values.`;
      void this.#stop(new EvaluationError(message, { retryable: false })).then(() => this.#next());
    }, limitMs);
    // While a task runs the process waits for it.
    worker.ref();
    worker.postMessage(next.task);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./measure-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    worker.on('message', (message: 'ready' | MeasureResult) => {
      if (this.#worker !== worker) return;
      if (message === 'ready') this.#ready = true;
      else this.#end()?.resolve(message);
      this.#next();
    });
    worker.on('error', (cause) => {
      if (this.#worker !== worker) return;
      // Out of memory, most likely. What could not even load fails whoever waits, and is tried again with the next task.
      const error = new EvaluationError('Measuring failed; simplify the evaluator or evaluate shorter values.', {
        retryable: false,
        cause,
      });
      const failed = this.#ready ? [] : this.#waiting.splice(0);
      for (const waiting of failed) waiting.reject(error);
      void this.#stop(error).then(() => this.#next());
    });
    return worker;
  }

  /** Takes the running task off the thread. */
  #end(): Waiting | null {
    const running = this.#running;
    this.#running = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker?.unref();
    return running;
  }

  async #stop(error: EvaluationError): Promise<void> {
    const worker = this.#worker;
    this.#end()?.reject(error);
    this.#worker = null;
    this.#ready = false;
    await worker?.terminate();
  }
}
