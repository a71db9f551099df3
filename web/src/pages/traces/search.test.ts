import { expect, test } from 'vitest';
import { readTracesSearch, tracesRequest } from './search.ts';

test('a URL is parsed; invalid values are dropped', () => {
  const search = readTracesSearch({
    range: '7d',
    model: 'acme/llama',
    status: 'broken',
    minCost: '-1',
    minLatency: '250',
    sort: '-cost',
    q: '',
    hide: 'output.tags',
    live: '1',
    other: 'x',
  });
  expect(search).toEqual({ range: '7d', model: 'acme/llama', minLatency: '250', sort: '-cost', hide: 'output.tags', live: '1' });
  expect(readTracesSearch({ sort: 'name', tag: ['a', 'b'] })).toEqual({ tag: ['a', 'b'] });
});

test('the request contains filters only', () => {
  const search = readTracesSearch({ range: '1h', status: 'error', q: 'x', hide: '', live: '1' });
  expect(tracesRequest(search, Date.parse('2026-11-20T10:30:45Z'))).toEqual({
    from: '2026-11-20T09:30:00.000Z',
    status: 'error',
    q: 'x',
    simulated: 'false',
  });
});
