import type { z } from 'zod';
import type { ErrorDetail } from '../../../contract/errors.ts';
import type { EvaluatorTypeName } from '../../../contract/evaluators.ts';
import { cutText, storableText } from '../../../platform/text/index.ts';
import type { EvaluationUsage } from '../evaluation-error.ts';
import type { Calculations } from '../measure/calculations.ts';
import type { PoolName } from '../tables.ts';

/** What an evaluator measures. */
export interface Subject {
  input: unknown;
  /** undefined: none; null is a value. */
  output: unknown;
  /** undefined: none; null is a value. */
  expectedOutput: unknown;
  latencyMs: number | null;
  costUsd: number | null;
}

export type Verdict =
  | {
      status: 'scored';
      score: number;
      /** null: decided by the evaluator's pass threshold alone. */
      passed: boolean | null;
      comment: string | null;
      usage?: EvaluationUsage;
    }
  | { status: 'skipped'; reason: string };

/** A question to a judge. */
export interface JudgeRequest {
  /** A model connection of the project. */
  connectionId: string;
  model: string;
  instructions: string;
  /** Lowest and highest score. */
  scale: readonly [number, number];
  subject: Subject;
}

/** The answer of a judge: a number on the scale, its reason and its usage. */
export interface JudgeAnswer {
  score: number;
  reasoning: string | null;
  usage: EvaluationUsage;
}

/** What an evaluation may need; ../measures.ts provides it for a project. */
export interface EvaluationServices {
  /** Asks a model through a connection of the project. Errors: `EvaluationError`. */
  judge(request: JudgeRequest): Promise<JudgeAnswer>;
  /** Calculations that may take long, off the main thread. Errors: `EvaluationError`. */
  calculations: Calculations;
}

/** What checking a configuration may need. */
export interface ConfigServices {
  calculations: Calculations;
  /** Whether the project of the evaluator has this model connection. */
  hasConnection(connectionId: string): Promise<boolean>;
}

/**
 * A type of evaluators. Each file of this folder that is named for a type exports one as `evaluatorType`; ./index.ts loads those whose configuration
 * src/contract/evaluators.ts has. Other code does not depend on single types.
 */
export interface EvaluatorType<Config> {
  type: EvaluatorTypeName;
  /** Checks `config` of an evaluator. A configuration that it accepts and in which `problem` finds nothing can be evaluated. */
  config: z.ZodType<Config>;
  /** The problem of a configuration that its schema cannot detect; null: none. Errors: `EvaluationError`. */
  problem?(config: Config, services: ConfigServices): Promise<ErrorDetail | null>;
  /** The worker pool that runs it; default `quick`. */
  pool?: PoolName;
  /** Compares with an expected output, which only items of dataset runs have. */
  needsExpectedOutput?: true;
  /** Measures duration and cost alone: inputs and outputs are not read, and their size does not matter. */
  ignoresPayloads?: true;
  /** The part of the subject that the verdict depends on; default: input, output and expected output. A JSON value. */
  dependsOn?(subject: Subject): unknown;
  /**
   * Lowest and highest score, for figures over several evaluators (docs/semantics.md, "Quality"); default: 0 and 1. null: the scores are no
   * measure of quality.
   */
  scale?(config: Config): readonly [number, number] | null;
  /** Measures; a failure is an `EvaluationError`, never a score. */
  evaluate(subject: Subject, config: Config, services: EvaluationServices): Verdict | Promise<Verdict>;
}

/** UTF-16 code units of a comment; longer ones are cut. */
const maxCommentLength = 4_000;

/** A comment that every database can store: cut, without NUL characters and lone surrogates. */
export function storableComment(text: string): string {
  return storableText(cutText(text, maxCommentLength, '…'));
}

/** The verdict of a yes-or-no evaluator: score 1 or 0. */
export function passedOrNot(passed: boolean, comment: string | null = null): Verdict {
  return { status: 'scored', score: passed ? 1 : 0, passed, comment: comment === null ? null : storableComment(comment) };
}

/** The verdict for a subject without data to measure. */
export function skipped(reason: string): Verdict {
  return { status: 'skipped', reason };
}
