import { expect, test } from 'vitest';
import { readPoliciesSearch } from './search.ts';

test('the parameters of the policies page are parsed; invalid values are dropped', () => {
  expect(readPoliciesSearch({ view: 'revisions', revision: '12', with: 3 })).toEqual({
    view: 'revisions',
    revision: 12,
    with: 3,
  });
  expect(readPoliciesSearch({ view: 'policies', revision: '-1', with: 'x' })).toEqual({});
  expect(readPoliciesSearch({ view: 'else', revision: 0 })).toEqual({});
});
