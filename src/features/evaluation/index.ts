export { connectionRoutes } from './connections/routes.ts';
export { openMeasures } from './open-measures.ts';
export type { OpenedMeasures } from './open-measures.ts';
export type { QueueLimits, RunItem, RunItems, RunScore } from './evaluation-context.ts';
export { Evaluation, EvaluationQueue } from './open-evaluation.ts';
export { evaluationRoutes } from './routes.ts';
export { sessionCheckMs } from './sessions/complete-sessions.ts';
export { EvaluationError } from './types/evaluator-type.ts';
export type { Verdict } from './types/evaluator-type.ts';
