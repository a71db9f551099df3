import type { Score } from '../api/service.ts';

/** The scores of one evaluator. */
export interface ScoreGroup {
  evaluator: string;
  /** In the given order. */
  scores: Score[];
  /** Over the scores with a number; null without one. */
  mean: number | null;
  /** How many of the `judged` scores passed. */
  passed: number;
  /** How many scores say whether they passed. */
  judged: number;
}

/** Groups scores by evaluator, in the order of each evaluator's first score. */
export function scoreGroups(scores: readonly Score[]): ScoreGroup[] {
  const groups = Map.groupBy(scores, ({ evaluator }) => evaluator);
  return [...groups].map(([evaluator, own]) => {
    const judged = own.filter(({ passed }) => passed !== null);
    return {
      evaluator,
      scores: own,
      mean: meanOf(own.flatMap(({ score }) => score ?? [])),
      passed: judged.filter(({ passed }) => passed).length,
      judged: judged.length,
    };
  });
}

function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, score) => sum + score / numbers.length, 0);
}
