import { expect, test } from 'vitest';
import { readUsersSearch, usersRequest } from './search.ts';

test('what cannot be read is dropped', () => {
  expect(readUsersSearch({ q: 'ada', filter: 'cost:>1', order: '-errors', range: '7d', other: 'x' })).toEqual({
    q: 'ada',
    filter: 'cost:>1',
    order: '-errors',
    range: '7d',
  });
  // The service sorts in descending order alone.
  expect(readUsersSearch({ q: '', filter: ['a', 'b'], order: 'errors' })).toEqual({});
});

test('the request has the range and what is set', () => {
  expect(usersRequest({}, 0)).toEqual({ range: '30d' });
  expect(usersRequest({ range: '7d', q: 'ada', order: '-traces' }, 0)).toEqual({ range: '7d', q: 'ada', sort: '-traces' });
});
