import { createHash } from 'node:crypto';
import type { Evaluator } from '../evaluator.ts';
import { nestedTooDeeply } from '../measure/canonical-json.ts';
import type { Subject } from '../types/evaluator-type.ts';
import { evaluatorTypes } from '../types/index.ts';

/** The subject of an evaluation, or why there is none. */
export type Evaluated =
  | {
      subject: Subject;
      /** Distinguishes states of the target that have equal subjects. */
      state?: unknown;
      /** Why data is missing that may still arrive. */
      awaits?: string;
    }
  | { nothing: string };

/** Bytes of JSON of an input or output; larger ones are not evaluated. */
export const maxPayloadBytes = 1_048_576;

/** Parses a stored JSON text; undefined for an empty one. Text that is not JSON is returned as a string. */
export function valueOf(json: string): unknown {
  if (json === '') return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/**
 * Hashes the evaluator's configuration and the part of the subject that its type depends on. Evaluating again with an equal hash would
 * give the same verdict.
 *
 * Errors: `EvaluationError` for a value with too many levels for JSON.
 */
export function contentHash({ type, config, passThreshold }: Evaluator, subject: Subject, state: unknown): string {
  const { input, output, expectedOutput } = subject;
  const { dependsOn = () => ({ input, output, expectedOutput }) } = evaluatorTypes[type];
  return createHash('sha256')
    .update(jsonOf([type, config, passThreshold, [dependsOn(subject)], state]))
    .digest('base64url');
}

/** `JSON.stringify` overflows the stack at some thousand levels; `JSON.parse` has no limit. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw nestedTooDeeply();
    throw error;
  }
}
