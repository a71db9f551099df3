import type { EvaluationUsage } from '../evaluation-error.ts';
import { storableComment } from '../types/evaluator-type.ts';
import type { EvaluationJob, EvaluationRun } from './evaluation-jobs.ts';

/** The outcome of a run of an evaluator. */
export type Outcome =
  | {
      status: 'completed';
      score: number;
      /** The scale that it was given on; null: no measure of quality. */
      scale: readonly [number, number] | null;
      passed: boolean | null;
      comment: string | null;
      usage: EvaluationUsage | null;
    }
  /** `withdraws`: the earlier score is withdrawn. */
  | { status: 'skipped'; reason: string; withdraws: boolean }
  | { status: 'failed'; error: string; usage: EvaluationUsage | null }
  /** Retry; `counts`: whether the attempt counts towards the maximum. */
  | { status: 'retry'; error: string | null; afterMs: number; counts: boolean; usage: EvaluationUsage | null }
  /** The target has not changed since it was evaluated, or its evaluator was deleted: the run leaves no record. */
  | { status: 'dropped' };

export interface EvaluatedJob {
  job: EvaluationJob;
  outcome: Outcome;
  contentHash: string;
}

/** The columns of an outcome. */
export function recordedRun({ job, outcome, contentHash }: EvaluatedJob): EvaluationRun {
  const { status } = outcome;
  const hash = { content_hash: contentHash };
  switch (status) {
    case 'completed': {
      const { score, passed, comment, usage } = outcome;
      const results = { ...hash, score, passed, comment: comment === null ? null : storableComment(comment) };
      return { job, outcome: { kind: 'ended', status, results, sums: sumsOf(usage) } };
    }
    case 'skipped':
      return { job, outcome: { kind: 'ended', status, results: { ...hash, comment: storableComment(outcome.reason) } } };
    case 'failed':
      return { job, outcome: { kind: 'ended', status, error: outcome.error, results: hash, sums: sumsOf(outcome.usage) } };
    case 'retry': {
      const { error, afterMs, counts, usage } = outcome;
      return { job, outcome: { kind: 'retry', error, afterMs, counts, sums: sumsOf(usage) } };
    }
    case 'dropped':
      return { job, outcome: { kind: 'removed' } };
  }
}

function sumsOf(usage: EvaluationUsage | null) {
  if (usage === null) return {};
  return {
    input_tokens: Math.round(usage.inputTokens),
    output_tokens: Math.round(usage.outputTokens),
    cost_usd: usage.costUsd,
  };
}
