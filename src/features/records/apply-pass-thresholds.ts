import type { ScoreRecord } from './score.ts';

/** Sets `passed` on scores that leave it out and whose evaluator has a threshold (docs/semantics.md, "Pass thresholds"). */
export function applyPassThresholds(scores: readonly ScoreRecord[], thresholds: ReadonlyMap<string, number>): void {
  for (const score of scores) {
    const threshold = thresholds.get(score.evaluator);
    if (score.passed === null && threshold !== undefined && !Number.isNaN(score.score)) score.passed = score.score >= threshold;
  }
}
