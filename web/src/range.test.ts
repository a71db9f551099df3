import { describe, expect, test } from 'vitest';
import { chosenRange, listRange, modelRange, modelRanges, rangeDayCount, readDayRange, readRange, traceRanges } from './range.ts';

const nowMs = Date.parse('2026-11-20T10:30:45.678Z');

test.each([
  [{ range: '7d' }, { range: '7d' }],
  [{ range: '1y' }, {}],
  [{ range: '7d', from: '2026-11-01' }, { range: '7d' }],
  [{ from: '2026-11-01T00:00:00+01:00', to: 'rubbish' }, { from: '2026-10-31T23:00:00.000Z' }],
  [{ from: ['2026-11-01'] }, {}],
])('%j is read as %j', (search, read) => expect(readRange(search)).toEqual(read));

test.each([
  [{ range: '90d' }, { range: '90d' }],
  [{ range: '1h' }, { range: '7d' }],
  [{ from: '2026-11-01' }, { range: '30d' }],
  [{ range: 'banana' }, {}],
  [{}, {}],
])('a page that counts days reads %j as %j', (search, read) => expect(readDayRange(search)).toEqual(read));

describe('the range of list requests', () => {
  test.each([
    [{}, { range: '30d' }],
    [{ range: '90d' as const }, { range: '90d' }],
    [{ range: '1h' as const }, { from: '2026-11-20T09:30:00.000Z' }],
    [{ range: '24h' as const }, { from: '2026-11-19T10:30:00.000Z' }],
    [{ to: '2026-11-01T00:00:00.000Z' }, { to: '2026-11-01T00:00:00.000Z' }],
  ])('%j', (search, asked) => expect(listRange(search, nowMs)).toEqual(asked));
});

test('pages that use whole days take the next larger range', () => {
  expect([modelRange({}), modelRange({ range: '1h' }), modelRange({ range: '90d' })]).toEqual(['30d', '7d', '90d']);
  expect(rangeDayCount({ range: '24h' })).toBe(7);
  expect(chosenRange({ range: '1h' }, modelRanges)).toBe('7d');
  expect(chosenRange({ range: '1h' }, traceRanges)).toBe('1h');
  expect(chosenRange({ from: '2026-11-01T00:00:00.000Z' }, traceRanges)).toBeNull();
});
