import { expect, test } from 'vitest';
import { incidentsRequest, readIncidentsSearch, worstTracesRequest } from './search.ts';

const nowMs = Date.parse('2026-11-20T12:34:56.000Z');
const rule = '019a0000-0000-7000-8000-000000000001';

test('invalid values of the URL are dropped', () => {
  expect(readIncidentsSearch({ status: 'closed', rule: 'x', environment: ' ', range: '7d' })).toEqual({ range: '7d' });
  expect(readIncidentsSearch({ status: 'open', rule, environment: 'staging' })).toEqual({
    status: 'open',
    rule,
    environment: 'staging',
  });
});

test('a range becomes the times of the openings', () => {
  expect(incidentsRequest({ range: '7d', status: 'open', rule }, nowMs)).toEqual({
    from: '2026-11-14T00:00:00.000Z',
    status: 'open',
    ruleId: rule,
  });
  const to = '2026-11-10T00:00:00.000Z';
  expect(incidentsRequest({ to, environment: 'production' }, nowMs)).toEqual({ to, environment: 'production' });
});

test('a day is requested with its end', () => {
  const yesterday = incidentsRequest({ range: 'yesterday' }, Date.parse('2026-11-20T12:00:00Z'));
  expect(Date.parse(yesterday.to ?? '') - Date.parse(yesterday.from ?? '')).toBe(86_400_000 - 1);
});

test('the worst traces are asked for by id, also those that began long before', () => {
  expect(worstTracesRequest({ sampleTraceIds: ['b', 'a'], openedAt: '2026-11-20T10:00:00.000Z' })).toEqual({
    traceId: ['b', 'a'],
    from: '2026-11-13T10:00:00.000Z',
  });
});
