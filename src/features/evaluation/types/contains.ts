import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { foldCase, textOf } from '../measure/canonical-json.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** Whether the output has a text in it. */
export const contains: EvaluatorType<EvaluatorConfigs['contains']> = {
  type: 'contains',
  config: evaluatorConfigs.contains,
  evaluate({ output }, { value, ignoreCase }) {
    if (output === undefined) return skipped('There is no output.');
    const text = textOf(output);
    return passedOrNot(ignoreCase ? foldCase(text).includes(foldCase(value)) : text.includes(value));
  },
};
