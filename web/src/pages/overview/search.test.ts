import { expect, test } from 'vitest';
import { readOverviewSearch } from './search.ts';

test.each([
  [
    { range: '7d', by: 'agent' },
    { range: '7d', by: 'agent' },
  ],
  [{ by: 'model' }, {}],
  [{ by: ['agent', 'agent'] }, {}],
])('%j is read as %j', (search, read) => {
  expect(readOverviewSearch(search)).toEqual(read);
});
