import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { canonicalJson, foldCase } from '../measure/canonical-json.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/**
 * Whether the output equals the expected output. Two strings are compared as they are, other values by structure, whatever the order of
 * keys. A string that is compared with another kind of value is parsed as JSON first, since models write text.
 */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['exact']> = {
  type: 'exact',
  config: evaluatorConfigs.exact,
  needsExpectedOutput: true,
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

/** Parses a string that is compared with another kind of value, if it is JSON. */
function asJson(value: unknown, other: unknown): unknown {
  if (typeof value !== 'string' || typeof other === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
