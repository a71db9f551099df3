import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { textOf } from '../measure/canonical-json.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** Whether the output contains a text. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['contains']> = {
  type: 'contains',
  config: evaluatorConfigs.contains,
  async evaluate({ output }, { value, ignoreCase }, { calculations }) {
    if (output === undefined) return skipped('There is no output.');
    return passedOrNot(await calculations.contains(textOf(output), value, ignoreCase ?? false));
  },
};
