export type { QueueLimits, RunItem, RunItems, RunScore } from './evaluation-context.ts';
export { OutputEvaluation } from './evaluate-output.ts';
export type { EvaluatedOutput, OutputScore } from './evaluate-output.ts';
export { lockEvaluatorsNamed, slugsOfEvaluators } from './named-evaluators.ts';
export { Evaluation, EvaluationQueue } from './open-evaluation.ts';
export { open } from './open.ts';
export type { EvaluationFeature } from './open.ts';
export { EvaluationError } from './types/evaluator-type.ts';
export type { Verdict } from './types/evaluator-type.ts';
