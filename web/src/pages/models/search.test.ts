import { expect, test } from 'vitest';
import { readModelsSearch } from './search.ts';

test.each([
  [
    { range: '7d', order: '-calls' },
    { range: '7d', order: '-calls' },
  ],
  [{ order: 'model' }, { order: 'model' }],
  [{ order: '-nothing' }, {}],
  [{ order: '--cost' }, {}],
  [{ order: ['cost', 'calls'] }, {}],
  [{ order: '' }, {}],
])('%j is read as %j', (search, read) => {
  expect(readModelsSearch(search)).toEqual(read);
});
