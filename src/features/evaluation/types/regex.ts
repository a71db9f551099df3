import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { textOf } from '../measure/canonical-json.ts';
import { compilePattern, PatternRefused } from '../measure/linear-pattern.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** How much of an output is searched, in UTF-16 units: its beginning. */
const mostSearched = 262_144;

/** Whether a pattern is found in the output, by a linear-time engine; what lies beyond the first 262,144 characters is not searched. */
export const regex: EvaluatorType<EvaluatorConfigs['regex']> = {
  type: 'regex',
  config: evaluatorConfigs.regex.superRefine(({ pattern, flags }, issues) => {
    try {
      compilePattern(pattern, flags ?? '');
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error;
      issues.addIssue({ code: 'custom', path: ['pattern'], message: error.message });
    }
  }),
  async evaluate({ output }, { pattern, flags }, { calculations }) {
    if (output === undefined) return skipped('There is no output.');
    return passedOrNot(await calculations.found(pattern, flags ?? '', textOf(output).slice(0, mostSearched)));
  },
};
