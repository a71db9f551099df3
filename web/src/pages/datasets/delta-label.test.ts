import { expect, test } from 'vitest';
import { byVerdict, deltaLabel, verdictOf } from './delta-label.ts';
import type { EvaluatorDelta } from '../../api/parts.ts';

const delta = (meanDelta: number | null, ciLow: number | null, ciHigh: number | null, n = 20): EvaluatorDelta => ({
  evaluator: 'helpful',
  meanDelta,
  ciLow,
  ciHigh,
  n,
});

test.each([
  [delta(0.08, 0.02, 0.14), 'better', 'Better: +0.08 (95% CI +0.02 to +0.14)'],
  [delta(-0.08, -0.14, -0.02), 'worse', 'Worse: −0.08 (95% CI −0.14 to −0.02)'],
  [delta(0.03, -0.02, 0.08), 'unclear', 'No clear difference: +0.03 (95% CI −0.02 to +0.08)'],
  [delta(-0.03, -0.08, 0), 'unclear', 'No clear difference: −0.03 (95% CI −0.08 to 0)'],
  [delta(0, -0.1, 0.1), 'unclear', 'No clear difference: 0 (95% CI −0.1 to +0.1)'],
  [delta(0, 0, 0), 'same', 'Unchanged'],
  [delta(0.0042, 0.001, 0.0061), 'better', 'Better: +0.0042 (95% CI +0.001 to +0.0061)'],
  [delta(null, null, null, 0), 'unknown', 'No items scored in both runs'],
] as const)('%j is %s', (given, verdict, label) => {
  expect(verdictOf(given)).toBe(verdict);
  expect(deltaLabel(given)).toBe(label);
});

test('evaluators with a clear difference come first', () => {
  const named = (evaluator: string, given: EvaluatorDelta) => ({ ...given, evaluator });
  const deltas = [named('same', delta(0, 0, 0)), named('unclear', delta(0.1, -0.1, 0.3)), named('worse', delta(-1, -2, -0.5))];
  expect(byVerdict(deltas).map(({ evaluator }) => evaluator)).toEqual(['worse', 'unclear', 'same']);
});
