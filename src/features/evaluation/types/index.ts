import type { EvaluatorConfigs } from '../../../contract/evaluators.ts';
import { contains } from './contains.ts';
import { cost } from './cost.ts';
import type { EvaluatorType } from './evaluator-type.ts';
import { exact } from './exact.ts';
import { fuzzy } from './fuzzy.ts';
import { jsonSchema } from './json-schema.ts';
import { latency } from './latency.ts';
import { llmJudge } from './llm-judge.ts';
import { regex } from './regex.ts';

/** Every evaluator type by name (docs/semantics.md, "Evaluator types"). */
export const evaluatorTypes: { [Name in keyof EvaluatorConfigs]: EvaluatorType<EvaluatorConfigs[Name]> } = {
  exact,
  fuzzy,
  contains,
  regex,
  json_schema: jsonSchema,
  latency,
  cost,
  llm_judge: llmJudge,
};
