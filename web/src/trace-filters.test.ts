import { expect, test } from 'vitest';
import { readFilters, setFilters } from './trace-filters.ts';

test('score and prompt filters are parsed; values that the service rejects are dropped', () => {
  const good = { evaluator: 'tone', minScore: '-1', maxScore: '0.5', passed: 'false', promptName: 'p', promptVersion: '3' };
  expect(readFilters(good)).toEqual(good);
  expect(readFilters({ minScore: 'much', maxScore: 'Infinity', passed: 'maybe', evaluator: '' })).toEqual({});
  expect(readFilters({ minScore: '0.6', maxScore: '0.5' })).toEqual({ maxScore: '0.5' });
  expect(readFilters({ evaluator: 'tone', promptName: 'p' }, ['promptName'])).toEqual({ promptName: 'p' });
});

test.each([
  [{ evaluator: 'tone' }, 'Score', 'tone'],
  [{ evaluator: 'tone', maxScore: '0.5' }, 'Score', 'tone ≤ 0.5'],
  [{ minScore: '0.5' }, 'Score', 'any evaluator ≥ 0.5'],
  [{ evaluator: 'tone', minScore: '0', maxScore: '1', passed: 'false' }, 'Score', 'tone 0 to 1, failed'],
  [{ passed: 'true' }, 'Score', 'any evaluator passed'],
  [{ promptName: 'triage', promptVersion: '3' }, 'Prompt', 'triage version 3'],
  [{ promptVersion: '3' }, 'Prompt', 'any, version 3'],
  [{ unscoredBy: 'tone' }, 'Not scored by', 'tone'],
])('%j is shown as one chip', (search, label, value) => {
  expect(setFilters(search)).toEqual([{ names: expect.any(Array), label, value }]);
});

test('a chip names the filters that it removes; the status has its own toggle', () => {
  const search = { status: 'error', model: 'm', evaluator: 'tone', passed: 'false', promptName: 'p', q: 'x' };
  const set = setFilters(search);
  expect(set.map(({ label }) => label)).toEqual(['Model', 'Score', 'Prompt']);
  const left = Object.keys(search).filter((name) => !set.some(({ names }) => names.includes(name as never)));
  expect(left).toEqual(['status', 'q']);
  expect(setFilters(search, ['model'])).toHaveLength(1);
});
