import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** The score of a model on the scale, with its reasoning as the comment. The evaluator's pass threshold decides whether it passes. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['llm_judge']> = {
  type: 'llm_judge',
  config: evaluatorConfigs.llm_judge,
  pool: 'judge',
  scale: ({ scale }) => scale,
  async problem({ connectionId }, { hasConnection }) {
    if (await hasConnection(connectionId)) return null;
    return { path: '/connectionId', message: 'is not a model connection of this project' };
  },
  async evaluate(subject, { connectionId, model, instructions, scale }, { judge }) {
    if (subject.output === undefined) return skipped('There is no output.');
    const { score, reasoning, usage } = await judge({ connectionId, model, instructions, scale, subject });
    return { status: 'scored', score, passed: null, comment: reasoning, usage };
  },
};
