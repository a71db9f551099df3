import type { EvaluationRecord } from '../../api/wire.ts';

/** What the latest runs of an evaluator came to. */
export interface RecentResults {
  /** Completed ones that passed or did not, and the share of those that passed; null without any. */
  judged: number;
  passRate: number | null;
  /** Mean score of the completed ones; null without any. */
  meanScore: number | null;
  completed: number;
  /** Ones that could not be evaluated. */
  failed: number;
  /** All that were looked at. */
  runs: number;
}

/** Adds up runs of an evaluator. */
export function recentResults(evaluations: readonly EvaluationRecord[]): RecentResults {
  const completed = evaluations.filter(({ status }) => status === 'completed');
  const judged = completed.filter(({ passed }) => passed !== null);
  const scores = completed.flatMap(({ score }) => (score === null ? [] : [score]));
  return {
    judged: judged.length,
    passRate: judged.length === 0 ? null : judged.filter(({ passed }) => passed).length / judged.length,
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    completed: completed.length,
    failed: evaluations.filter(({ status }) => status === 'failed').length,
    runs: evaluations.length,
  };
}
