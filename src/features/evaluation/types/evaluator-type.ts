import type { z } from 'zod';
import type { ErrorDetail } from '../../../contract/errors.ts';
import type { EvaluatorTypeName } from '../../../contract/evaluators.ts';

/** What is measured. */
export interface Subject {
  input: unknown;
  /** undefined: there is none; null is a value. */
  output: unknown;
  /** undefined: there is none; null is a value. */
  expectedOutput: unknown;
  latencyMs: number | null;
  costUsd: number | null;
}

/** What measuring itself has used. */
export interface EvaluationUsage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price is not known. */
  costUsd: number | null;
}

export type Verdict =
  | {
      status: 'scored';
      score: number;
      /** null: only the evaluator's own pass threshold can tell. */
      passed: boolean | null;
      comment: string | null;
      usage?: EvaluationUsage;
    }
  | { status: 'skipped'; reason: string };

/** What a judge is asked. */
export interface JudgeRequest {
  /** A model connection of the project. */
  connectionId: string;
  model: string;
  instructions: string;
  /** Lowest and highest score. */
  scale: readonly [number, number];
  subject: Subject;
}

/** What a judge found: a number on the scale, why, and what it used. */
export interface JudgeAnswer {
  score: number;
  reasoning: string | null;
  usage: EvaluationUsage;
}

/** What a measure may need of the world; `measuresOf` in ../measures.ts makes it for a project. */
export interface EvaluationServices {
  /** Asks a model through a connection of the project. Errors: {@link EvaluationError}. */
  judge(request: JudgeRequest): Promise<JudgeAnswer>;
  /** Runs what may take long away from the main thread. Errors: {@link EvaluationError}. */
  calculations: Calculations;
}

/** What may take long; ../measure/measure-thread.ts does it. Errors: {@link EvaluationError}. */
export interface Calculations {
  /** 1 - edit distance / length of the longer one, 0..1. */
  similarity(left: string, right: string): Promise<number>;
  /** The first problem of a value under a JSON Schema, null when it fits. */
  schemaProblem(schema: object, value: unknown): Promise<string | null>;
  /** Why a JSON Schema cannot be used, null when it can; it ends the sentence "the schema ...". */
  refusedSchema(schema: object): Promise<string | null>;
  /** Whether a text has another in it. */
  contains(text: string, value: string, ignoreCase: boolean): Promise<boolean>;
  /** Whether an RE2 pattern is found in a text. */
  found(pattern: string, flags: string, text: string): Promise<boolean>;
}

/** One measure. Every file of this folder that is named for a type exports one, and ./index.ts collects them. */
export interface EvaluatorType<Config> {
  type: EvaluatorTypeName;
  /** Checks `config` of an evaluator: what it accepts, and `problem` finds nothing wrong with, can be evaluated. */
  config: z.ZodType<Config>;
  /** What is wrong with a configuration where finding out may take long; null: nothing. Errors: {@link EvaluationError}. */
  problem?(config: Config, calculations: Calculations): Promise<ErrorDetail | null>;
  /** Measures; a failure is an {@link EvaluationError}, never a score. */
  evaluate(subject: Subject, config: Config, services: EvaluationServices): Verdict | Promise<Verdict>;
}

export interface EvaluationErrorOptions {
  /** Whether the same evaluation may succeed later. */
  retryable: boolean;
  /** No sooner than after this many milliseconds. */
  retryAfterMs?: number;
  /** What was used all the same. */
  usage?: EvaluationUsage;
  cause?: unknown;
}

/** An evaluation that failed. The message is written for the people of the project: no secrets, one sentence that says what to do. */
export class EvaluationError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly usage: EvaluationUsage | undefined;

  constructor(message: string, { retryable, retryAfterMs, usage, cause }: EvaluationErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EvaluationError';
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
  }
}

/** Longest comment, in UTF-16 units; a longer one is cut. */
const longestComment = 4_000;

/** A text that somebody else wrote, as every database can keep it: cut, without NUL characters and half surrogate pairs. */
export function storableText(text: string, longest = longestComment): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return cut.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A measure of a boolean: 1 passed, 0 not. */
export function passedOrNot(passed: boolean, comment: string | null = null): Verdict {
  return { status: 'scored', score: passed ? 1 : 0, passed, comment: comment === null ? null : storableText(comment) };
}

/** Nothing to measure, and why. */
export function skipped(reason: string): Verdict {
  return { status: 'skipped', reason };
}
