import { expect, test } from 'vitest';
import type { Score } from '../api/service.ts';
import { scoreGroups } from './score-groups.ts';

const score = (evaluator: string, value: number, passed: boolean | null) =>
  ({ scoreId: `${evaluator} ${value}`, evaluator, score: value, passed }) as Score;

test('scores are grouped by evaluator with their mean and how many passed', () => {
  const scores = [score('tone', 1, true), score('length', 12, null), score('tone', 0.5, false), score('tone', 0, null)];
  expect(scoreGroups(scores)).toEqual([
    { evaluator: 'tone', scores: [scores[0], scores[2], scores[3]], mean: 0.5, passed: 1, judged: 2 },
    { evaluator: 'length', scores: [scores[1]], mean: 12, passed: 0, judged: 0 },
  ]);
  expect(scoreGroups([])).toEqual([]);
});

test('a mean of large scores is finite', () => {
  expect(scoreGroups([score('a', 1.7e308, null), score('a', 1.7e308, null)])[0]?.mean).toBeCloseTo(1.7e308, -300);
});
