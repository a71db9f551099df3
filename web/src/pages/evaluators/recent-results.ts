import type { Evaluation } from '../../api/service.ts';

/** Results of the latest evaluations of an evaluator. */
export interface RecentResults {
  /** Completed evaluations with a verdict, and their pass rate; null without any. */
  judged: number;
  passRate: number | null;
  /** Mean score of completed evaluations; null without any. */
  meanScore: number | null;
  completed: number;
  /** Evaluations that failed after retries. */
  failed: number;
  /** All evaluations considered. */
  runs: number;
}

/** Aggregates evaluations of one evaluator. */
export function recentResults(evaluations: readonly Evaluation[]): RecentResults {
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
