import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { textOf } from '../measure/canonical-json.ts';
import { skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/**
 * The similarity of output and expected output: 1 - edit distance / length of the longer text, in code points of NFC; 1 for two empty
 * texts. Passes from the threshold on.
 */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['fuzzy']> = {
  type: 'fuzzy',
  config: evaluatorConfigs.fuzzy,
  needsExpectedOutput: true,
  async evaluate({ output, expectedOutput }, { threshold }, { calculations }) {
    if (expectedOutput === undefined) return skipped('There is no expected output.');
    if (output === undefined) return skipped('There is no output.');
    const score = await calculations.similarity(textOf(output), textOf(expectedOutput));
    return { status: 'scored', score, passed: score >= threshold, comment: null };
  },
};
