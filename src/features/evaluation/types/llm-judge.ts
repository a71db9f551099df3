import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** A model's number on the scale, with its reasoning as the comment. Whether it passed is for the evaluator's own threshold to say. */
export const llmJudge: EvaluatorType<EvaluatorConfigs['llm_judge']> = {
  type: 'llm_judge',
  config: evaluatorConfigs.llm_judge,
  async evaluate(subject, { connectionId, model, instructions, scale }, { judge }) {
    if (subject.output === undefined) return skipped('There is no output.');
    const { score, reasoning, usage } = await judge({ connectionId, model, instructions, scale, subject });
    return { status: 'scored', score, passed: null, comment: reasoning, usage };
  },
};
