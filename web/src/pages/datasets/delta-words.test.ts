import { expect, test } from 'vitest';
import { axisEnd, byClarity, deltaInWords, verdictOf } from './delta-words.ts';
import type { EvaluatorDelta } from '../../api/wire.ts';

const delta = (meanDelta: number | null, ciLow: number | null, ciHigh: number | null, n = 20): EvaluatorDelta => ({
  evaluator: 'helpful',
  meanDelta,
  ciLow,
  ciHigh,
  n,
});

test.each([
  [delta(0.08, 0.02, 0.14), 'better', 'b is better by 0.08, between 0.02 and 0.14'],
  [delta(-0.08, -0.14, -0.02), 'worse', 'b is worse by 0.08, between 0.02 and 0.14'],
  [delta(0.03, -0.02, 0.08), 'unclear', 'no clear difference: b is better by 0.03, between 0.02 worse and 0.08 better'],
  [delta(-0.03, -0.08, 0), 'unclear', 'no clear difference: b is worse by 0.03, between 0.08 worse and none'],
  [delta(0, -0.1, 0.1), 'unclear', 'no clear difference: the means are equal, between 0.1 worse and 0.1 better'],
  [delta(0, 0, 0), 'same', 'a and b score the same'],
  [delta(0.0042, 0.001, 0.0061), 'better', 'b is better by 0.0042, between 0.001 and 0.0061'],
  [delta(null, null, null, 0), 'unknown', 'no item was scored in both runs'],
] as const)('%j is %s', (given, verdict, words) => {
  expect(verdictOf(given)).toBe(verdict);
  expect(deltaInWords(given)).toBe(words);
});

test.each([
  [delta(0.08, 0.02, 0.14), 0.2],
  [delta(-0.3, -0.5, -0.1), 0.5],
  [delta(3, 1, 7), 10],
  [delta(0, 0, 0), 1],
  [delta(null, null, null), 1],
])('the axis of %j goes to %d', (given, end) => {
  expect(axisEnd(given)).toBe(end);
});

test('evaluators that see a clear difference come first', () => {
  const named = (evaluator: string, given: EvaluatorDelta) => ({ ...given, evaluator });
  const deltas = [named('same', delta(0, 0, 0)), named('unclear', delta(0.1, -0.1, 0.3)), named('worse', delta(-1, -2, -0.5))];
  expect(byClarity(deltas).map(({ evaluator }) => evaluator)).toEqual(['worse', 'unclear', 'same']);
});
