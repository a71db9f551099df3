import { expect, test } from 'vitest';
import type { Evaluator } from '../../api/service.ts';
import { lowScores } from './low-scores.ts';

const judge = (scale: [number, number]) => ({ config: { scale } }) as unknown as Evaluator;

test('low scores are the failed ones', () => {
  expect(lowScores({ avg_score: 0.9, fail_count: 2 })).toEqual({ passed: 'false' });
  expect(lowScores({ avg_score: 4, fail_count: 1 }, judge([1, 5]))).toEqual({ passed: 'false' });
});

test('without failures they are those in the lowest tenth of the scale, wherever the mean is', () => {
  for (const mean of [0, 0.5, 1]) expect(lowScores({ avg_score: mean, fail_count: 0 })).toEqual({ maxScore: '0.1' });
  expect(lowScores({ avg_score: 4.5, fail_count: 0 }, judge([1, 5]))).toEqual({ maxScore: '1.4' });
  expect(lowScores({ avg_score: 0, fail_count: 0 }, judge([-1, 1]))).toEqual({ maxScore: '-0.8' });
});

test('scores on an unknown scale have no lowest tenth', () => {
  expect(lowScores({ avg_score: 42, fail_count: 0 })).toBeNull();
});
