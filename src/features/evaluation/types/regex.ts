import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { textOf } from '../measure/canonical-json.ts';
import { compilePattern, PatternRefused } from '../measure/linear-pattern.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** UTF-16 code units of an output that are searched, from its beginning. */
const maxSearched = 262_144;

/** Whether a pattern matches in the first 262,144 characters of the output, by a linear-time engine. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['regex']> = {
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
    return passedOrNot(await calculations.found(pattern, flags ?? '', textOf(output).slice(0, maxSearched)));
  },
};
