import { describe, expect, test } from 'vitest';
import { changesRequest, impactRequest, readChangeSearch, readChangesSearch } from './search.ts';

describe('the list', () => {
  test.each([
    [
      { range: '7d', kind: 'deploy', environment: 'production', service: ' checkout ' },
      { range: '7d', kind: 'deploy', environment: 'production', service: 'checkout' },
    ],
    [{ kind: 'other', environment: '', service: 3 }, {}],
  ])('%j is read as %j', (search, read) => expect(readChangesSearch(search)).toEqual(read));

  test('the request has the default range', () => {
    expect(changesRequest({ kind: 'model' }, 0)).toEqual({ range: '30d', kind: 'model' });
  });
});

describe('a change', () => {
  test.each([
    [
      { hours: 6, model: 'm', agent: 'a' },
      { hours: 6, model: 'm', agent: 'a' },
    ],
    [{ hours: '168' }, { hours: 168 }],
    [{ hours: 24 }, {}],
    [{ hours: 5, model: [''] }, {}],
  ])('%j is read as %j', (search, read) => expect(readChangeSearch(search)).toEqual(read));

  test('the request has the default hours', () => {
    expect(impactRequest({ model: 'm' })).toEqual({ hours: 24, model: 'm' });
  });
});
