import { createHash } from 'node:crypto';
import type { Evaluator } from '../evaluator.ts';
import { nestedTooDeeply } from '../measure/canonical-json.ts';
import type { Subject } from '../types/evaluator-type.ts';

/** What an evaluation is to look at, or why there is nothing to look at. */
export type Evaluated =
  | {
      subject: Subject;
      /** What else tells this state of the target from another. */
      state?: unknown;
      /** Why something is missing that may still come. */
      awaits?: string;
    }
  | { nothing: string };

/** Largest input or output that is evaluated, in bytes of JSON. */
export const mostPayloadBytes = 1_048_576;

/** A stored JSON text as a value; undefined for nothing. What is no JSON is taken as a text. */
export function valueOf(json: string): unknown {
  if (json === '') return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/**
 * Names what an evaluator has looked at and how: while it stays the same, evaluating again would say the same. Only what the type looks at
 * is in it.
 *
 * Errors: `EvaluationError` for what is nested too deeply to be written as JSON.
 */
export function contentHash({ type, config, passThreshold }: Evaluator, subject: Subject, state: unknown): string {
  const { input, output, expectedOutput, latencyMs, costUsd } = subject;
  const looksAt = type === 'latency' ? [latencyMs] : type === 'cost' ? [costUsd] : [{ input, output, expectedOutput }];
  return createHash('sha256')
    .update(jsonOf([type, config, passThreshold, looksAt, state]))
    .digest('base64url');
}

/** Some thousand levels are as many as `JSON.stringify` takes; reading them has no limit. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw nestedTooDeeply();
    throw error;
  }
}
