import { evaluatorConfigs } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { passedOrNot, skipped } from './evaluator-type.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** Whether the output is valid under a JSON Schema. A string is parsed as JSON, and fails where it is not. The comment names the problem. */
export const evaluatorType: EvaluatorType<EvaluatorConfigs['json_schema']> = {
  type: 'json_schema',
  config: evaluatorConfigs.json_schema,
  async problem({ schema }, { calculations }) {
    const message = await calculations.refusedSchema(schema);
    return message === null ? null : { path: '/schema', message };
  },
  async evaluate({ output }, { schema }, { calculations }) {
    if (output === undefined) return skipped('There is no output.');
    let value = output;
    if (typeof output === 'string') {
      try {
        value = JSON.parse(output);
      } catch {
        return passedOrNot(false, 'The output is not valid JSON.');
      }
    }
    const problem = await calculations.schemaProblem(schema, value);
    return passedOrNot(problem === null, problem);
  },
};
