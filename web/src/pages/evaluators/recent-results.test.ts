import { expect, test } from 'vitest';
import type { Evaluation } from '../../api/service.ts';
import { recentResults } from './recent-results.ts';

const run = (fields: Partial<Evaluation>): Evaluation =>
  ({ status: 'completed', score: null, passed: null, ...fields }) as Evaluation;

test('the pass rate is of evaluations with a verdict, the mean of those with a score', () => {
  const runs = [
    run({ score: 1, passed: true }),
    run({ score: 0, passed: false }),
    run({ score: 0.5, passed: true }),
    run({ score: 0.5 }),
    run({ status: 'failed' }),
    run({ status: 'skipped' }),
  ];
  expect(recentResults(runs)).toEqual({ judged: 3, passRate: 2 / 3, meanScore: 0.5, completed: 4, failed: 1, runs: 6 });
  expect(recentResults([])).toEqual({ judged: 0, passRate: null, meanScore: null, completed: 0, failed: 0, runs: 0 });
});
