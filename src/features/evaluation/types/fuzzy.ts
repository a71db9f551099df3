import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { textOf } from '../measure/canonical-json.ts';
import { skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/**
 * How alike the output and the expected one are: 1 - edit distance / length of the longer, in code points of Unicode's composed form;
 * two empty texts are alike. Passed from the threshold on.
 */
export const fuzzy: EvaluatorType<EvaluatorConfigs['fuzzy']> = {
  type: 'fuzzy',
  config: evaluatorConfigs.fuzzy,
  async evaluate({ output, expectedOutput }, { threshold }, { calculations }) {
    if (expectedOutput === undefined) return skipped('There is no expected output.');
    if (output === undefined) return skipped('There is no output.');
    const score = await calculations.similarity(textOf(output), textOf(expectedOutput));
    return { status: 'scored', score, passed: score >= threshold, comment: null };
  },
};
