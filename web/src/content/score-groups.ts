import type { Score } from '../api/wire.ts';

/** The scores of one evaluator. */
export interface ScoreGroup {
  evaluator: string;
  /** In the given order. */
  scores: Score[];
  mean: number;
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
      mean: own.reduce((sum, { score }) => sum + score / own.length, 0),
      passed: judged.filter(({ passed }) => passed).length,
      judged: judged.length,
    };
  });
}
