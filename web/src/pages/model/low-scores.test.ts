import { expect, test } from 'vitest';
import { lowScores } from './low-scores.ts';

test('low scores are failed ones, or else those up to the mean', () => {
  expect(lowScores({ avg_score: 0.9, fail_count: 2 })).toEqual({ passed: 'false' });
  expect(lowScores({ avg_score: 0.5, fail_count: 0 })).toEqual({ maxScore: '0.5' });
  const mean = 2 / 3;
  const { maxScore } = lowScores({ avg_score: mean, fail_count: 0 });
  expect(maxScore).toBe('0.667');
  expect(Number(maxScore)).toBeGreaterThanOrEqual(mean);
});
