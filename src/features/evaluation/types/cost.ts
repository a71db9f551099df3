import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** Whether the cost is at most `maxUsd` US dollars. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['cost']> = {
  type: 'cost',
  config: evaluatorConfigs.cost,
  dependsOn: ({ costUsd }) => costUsd,
  scale: () => null,
  ignoresPayloads: true,
  evaluate({ costUsd }, { maxUsd }) {
    return costUsd === null ? skipped('There is no cost.') : passedOrNot(costUsd <= maxUsd);
  },
};
