import { expect, test } from 'vitest';
import { addedFilters, readFilters, setFilters, simulatedFilter } from './trace-filters.ts';

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
  expect(setFilters(search)).toEqual([{ label, value, removed: expect.any(Object) }]);
});

test('a chip names the filters that it removes; the status has its own toggle', () => {
  const search = { status: 'error', model: 'm', evaluator: 'tone', passed: 'false', promptName: 'p', q: 'x' };
  const set = setFilters(search);
  expect(set.map(({ label }) => label)).toEqual(['Model', 'Score', 'Prompt']);
  const left = Object.keys(search).filter((name) => !set.some(({ removed }) => name in removed));
  expect(left).toEqual(['status', 'q']);
  expect(setFilters(search, ['model'])).toHaveLength(1);
});

test('a filter with several values has a chip for each, which removes only that value', () => {
  const search = readFilters({ model: ['b', 'a', 'b', ''], metadata: 'region:eu', errorCode: [] });
  expect(search).toEqual({ model: ['b', 'a'], metadata: 'region:eu' });
  expect(setFilters(search)).toEqual([
    { label: 'Model', value: 'b', removed: { model: 'a' } },
    { label: 'Model', value: 'a', removed: { model: 'b' } },
    { label: 'Metadata', value: 'region:eu', removed: { metadata: undefined } },
  ]);
});

test('an added value joins the others of its filter', () => {
  expect(addedFilters({ model: 'a', tag: 't' }, { model: 'b' })).toEqual({ model: ['a', 'b'] });
  expect(addedFilters({ model: ['a', 'b'] }, { model: 'a' })).toEqual({ model: ['a', 'b'] });
  expect(addedFilters({}, { errorCode: 'timeout' })).toEqual({ errorCode: 'timeout' });
  expect(addedFilters({ evaluator: 'x' }, { evaluator: 'y', minScore: undefined })).toEqual({
    evaluator: 'y',
    minScore: undefined,
  });
  const many = Array.from({ length: 20 }, (_, index) => `m${index}`);
  expect(addedFilters({ model: many }, { model: 'more' })).toEqual({ model: many });
});

test('lists leave out traces of simulations, unless they are shown or a filter names them', () => {
  expect(readFilters({ simulated: '1', q: 'x' })).toEqual({ simulated: '1', q: 'x' });
  expect(readFilters({ simulated: 'yes' })).toEqual({});
  expect(simulatedFilter({ agent: 'a' })).toEqual({ simulated: 'false' });
  expect(simulatedFilter({ simulated: '1' })).toEqual({ simulated: 'any' });
  expect(simulatedFilter({ tag: ['a', 'simulation'] })).toEqual({});
  expect(simulatedFilter({ environment: 'simulation' })).toEqual({});
});

test('an empty environment asks for traces without one; other empty values are dropped', () => {
  expect(readFilters({ environment: '', model: '' })).toEqual({ environment: '' });
  expect(setFilters({ environment: ['', 'prod'] })).toEqual([
    { label: 'Environment', value: 'none', removed: { environment: 'prod' } },
    { label: 'Environment', value: 'prod', removed: { environment: '' } },
  ]);
});
