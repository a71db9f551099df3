import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** Whether the duration is at most `maxMs` milliseconds. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['latency']> = {
  type: 'latency',
  config: evaluatorConfigs.latency,
  dependsOn: ({ latencyMs }) => latencyMs,
  scale: () => null,
  ignoresPayloads: true,
  evaluate({ latencyMs }, { maxMs }) {
    return latencyMs === null ? skipped('There is no latency.') : passedOrNot(latencyMs <= maxMs);
  },
};
