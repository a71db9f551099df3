import type { ScoreRecord } from './span.ts';

/** Says of scores whether they have passed, where their evaluator has a threshold for that (contract section 5). */
export function judgeScores(scores: readonly ScoreRecord[], thresholds: ReadonlyMap<string, number>): void {
  for (const score of scores) {
    const threshold = thresholds.get(score.evaluator);
    if (score.passed === null && threshold !== undefined) score.passed = score.score >= threshold;
  }
}
