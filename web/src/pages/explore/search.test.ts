import { expect, test } from 'vitest';
import { facetsRequest, readExploreSearch, sessionsRequest, spansRequest, traceCountsRequest, tracesRequest } from './search.ts';

const now = Date.parse('2026-11-20T10:30:45Z');

test('a URL is parsed; invalid values are dropped, and parameters of links become the filter', () => {
  const search = readExploreSearch({
    range: '7d',
    model: 'acme/llama',
    status: 'broken',
    minCost: '-1',
    minLatency: '250',
    sort: '-cost',
    q: '',
    live: '1',
    other: 'x',
    peek: 't',
    span: 's',
  });
  expect(search).toEqual({
    range: '7d',
    filter: 'model:acme/llama latency:>=250',
    sort: '-cost',
    live: '1',
    peek: 't',
    span: 's',
  });
  expect(readExploreSearch({ sort: 'name', tag: ['a', 'b'], span: 's' })).toEqual({ filter: 'tag:(a OR b)' });
  expect(readExploreSearch({ on: 'spans', sort: '-score.tone', q: 'a:b', roots: '1', passed: 'true' })).toEqual({
    on: 'spans',
    sort: '-score.tone',
    filter: '"a:b"',
    roots: '1',
  });
  expect(readExploreSearch({ on: 'sessions', user: 'u', sort: 'cost', live: '1', peek: 't' })).toEqual({
    on: 'sessions',
    filter: 'user:u',
  });
  expect(readExploreSearch({ hide: 'output.agents.session.user.environment.tags.spans' })).toEqual({
    columns: ['name', 'input', 'models', 'tokens', 'cost', 'latency', 'startTime'],
  });
  expect(readExploreSearch({ ...readExploreSearch({ model: 'a', filter: 'user:u' }) })).toEqual({ filter: 'model:a user:u' });
});

test('each list is asked for by its own words', () => {
  const search = readExploreSearch({
    range: '1h',
    status: 'error',
    q: 'x',
    live: '1',
    minScore: '0.5',
    simulated: '1',
    sort: 'cost',
  });
  const from = '2026-11-20T09:30:00.000Z';
  expect(tracesRequest(search, now)).toEqual({
    from,
    filter: 'status:error',
    q: 'x',
    minScore: 0.5,
    simulated: 'any',
    sort: 'cost',
  });
  expect(traceCountsRequest(search, now)).toEqual({ from, filter: 'status:error', minScore: 0.5, simulated: 'any' });
  expect(facetsRequest(search, ['model'], now)).toEqual({
    on: 'traces',
    field: ['model'],
    from,
    filter: 'status:error x source:*',
  });
  expect(sessionsRequest(readExploreSearch({ on: 'sessions', q: 'u', range: '7d' }), now)).toEqual({ range: '7d', q: 'u' });
  expect(spansRequest(readExploreSearch({ on: 'spans', roots: '1', sort: 'ttft', range: '7d' }), now)).toEqual({
    range: '7d',
    roots: 'true',
    sort: 'ttft',
  });
});
