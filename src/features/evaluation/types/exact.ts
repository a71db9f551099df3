import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { canonicalJson, foldCase } from '../measure/canonical-json.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/**
 * Whether the output is the expected one. Two strings are compared as they are, anything else by structure: the order of keys is
 * irrelevant, and a string against another JSON value is read as JSON first, since models write text.
 */
export const exact: EvaluatorType<EvaluatorConfigs['exact']> = {
  type: 'exact',
  config: evaluatorConfigs.exact,
  evaluate({ output, expectedOutput }, { ignoreCase }) {
    if (expectedOutput === undefined) return skipped('There is no expected output.');
    if (output === undefined) return skipped('There is no output.');
    const fold = ignoreCase ? foldCase : (text: string) => text;
    if (typeof output === 'string' && typeof expectedOutput === 'string')
      return passedOrNot(fold(output) === fold(expectedOutput));
    return passedOrNot(
      canonicalJson(asJson(output, expectedOutput), fold) === canonicalJson(asJson(expectedOutput, output), fold),
    );
  },
};

/** A string beside something else as the JSON value that it holds, if it holds one. */
function asJson(value: unknown, other: unknown): unknown {
  if (typeof value !== 'string' || typeof other === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
