export { evaluate } from './evaluate.ts';
export type {
  Evaluation,
  EvaluateOptions,
  EvaluatedItem,
  Evaluator,
  EvaluatorScore,
  ItemScore,
  ItemToScore,
  ScoreSummary,
} from './evaluate.ts';
export { gate, GateFailed } from './gate.ts';
export type { GateOptions, GateThresholds } from './gate.ts';
export type { GateCheck, GateResult } from './gate-result.ts';
export type { ConnectionOptions } from './connection.ts';
