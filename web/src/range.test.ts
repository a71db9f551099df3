import { describe, expect, test } from 'vitest';
import {
  chosenRange,
  figuresRequest,
  intervalOf,
  linkFigures,
  linkRange,
  readFigures,
  rangeRequest,
  rangeStart,
  readRange,
  rowRange,
  timelineOf,
} from './range.ts';

const nowMs = Date.parse('2026-11-20T10:30:45.678Z');

test.each([
  [{ range: '7d' }, { range: '7d' }],
  [{ range: '7d', from: '2026-11-01' }, { range: '7d' }],
  [{ range: '1y' }, { unknownRange: '1y' }],
  [{ unknownRange: '1y' }, { unknownRange: '1y' }],
  [{ unknownRange: '1y', range: '24h' }, { range: '24h' }],
  [
    { from: '2026-11-01T00:00:00+01:00', to: 'rubbish' },
    { from: '2026-10-31T23:00:00.000Z', unknownRange: '2026-11-01T00:00:00+01:00 – rubbish' },
  ],
  [{ from: ['2026-11-01', '2026-11-02'] }, { unknownRange: '2026-11-01,2026-11-02' }],
  [{ from: '2026-11-02', to: '2026-11-01' }, { unknownRange: '2026-11-02 – 2026-11-01' }],
  [{}, {}],
])('%j is read as %j', (search, read) => {
  expect(readRange(search)).toEqual(read);
  // The URL is rewritten with what was read.
  expect(readRange({ ...readRange(search) })).toEqual(read);
});

test('links to other pages keep the range, and nothing that could not be read', () => {
  expect(linkRange({ unknownRange: '1y' })).toEqual({});
  expect(linkRange({ from: '2026-11-01T00:00:00.000Z', unknownRange: 'x' })).toEqual({ from: '2026-11-01T00:00:00.000Z' });
});

test('environments are read, requested, and kept by links between pages of figures', () => {
  expect(readFigures({ range: '7d', environment: ['a', 'b', 'a', ''] })).toEqual({ range: '7d', environment: ['a', 'b'] });
  expect(readFigures({ environment: '' })).toEqual({});
  expect(figuresRequest(readFigures({ environment: 'a' }), nowMs)).toEqual({ range: '30d', environment: ['a'] });
  expect(linkFigures({ range: '7d', environment: 'a', unknownRange: 'x' })).toEqual({ range: '7d', environment: 'a' });
});

test.each([
  [{}, { range: '30d' }, '2026-10-22T00:00:00.000Z', 'day'],
  [{ range: '90d' as const }, { range: '90d' }, '2026-08-23T00:00:00.000Z', 'day'],
  [{ range: '24h' as const }, { from: '2026-11-19T11:00:00.000Z' }, '2026-11-19T11:00:00.000Z', 'hour'],
  [{ range: '1h' as const }, { from: '2026-11-20T09:30:00.000Z' }, '2026-11-20T09:30:00.000Z', 'hour'],
  [{ from: '2026-11-17T10:30:46.000Z' }, { from: '2026-11-17T10:30:46.000Z' }, '2026-11-17T10:30:46.000Z', 'hour'],
  [{ from: '2026-11-17T10:30:45.000Z' }, { from: '2026-11-17T10:30:45.000Z' }, '2026-11-17T10:30:45.000Z', 'day'],
  [{ to: '2026-11-01T00:00:00.000Z' }, { to: '2026-11-01T00:00:00.000Z' }, null, 'day'],
])('%j is requested as %j', (search, request, start, interval) => {
  expect(rangeRequest(search, nowMs)).toEqual(request);
  expect(rangeStart(search, nowMs)).toBe(start === null ? null : Date.parse(start));
  expect(intervalOf(search, nowMs)).toBe(interval);
});

describe('days of the time zone of the viewer', () => {
  const midnight = (day: number) => new Date(2026, 10, day).getTime();
  const iso = (ms: number) => new Date(ms).toISOString();

  test('today is requested from its midnight, yesterday up to it', () => {
    const noonMs = new Date(2026, 10, 20, 12).getTime();
    expect(readRange({ range: 'today' })).toEqual({ range: 'today' });
    expect(linkRange({ range: 'yesterday' })).toEqual({ range: 'yesterday' });
    expect(chosenRange({ range: 'yesterday' })).toBe('yesterday');
    expect(rangeRequest({ range: 'today' }, noonMs)).toEqual({ from: iso(midnight(20)) });
    expect(rangeRequest({ range: 'yesterday' }, noonMs)).toEqual({ from: iso(midnight(19)), to: iso(midnight(20) - 1) });
    expect(rangeStart({ range: 'yesterday' }, noonMs)).toBe(midnight(19));
    const hours = timelineOf({ range: 'yesterday' }, noonMs, undefined);
    expect([hours.interval, hours.starts[0], hours.starts.at(-1)]).toEqual([
      'hour',
      iso(midnight(19)),
      iso(midnight(20) - 3_600_000),
    ]);
    expect(rowRange({ range: 'yesterday' }, hours, hours.starts.at(-1) ?? '')).toEqual({
      from: iso(midnight(20) - 3_600_000),
      to: iso(midnight(20) - 1),
    });
  });

  // A day ahead of or behind UTC, by the zone: the hour decides which day it is there.
  test.each([0, 3, 21])('at %i h they are the days of that hour', (hour) => {
    const { from } = rangeRequest({ range: 'today' }, new Date(2026, 10, 20, hour, 30).getTime());
    expect(from).toBe(iso(midnight(20)));
  });
});

test('a custom range is no choice of the picker', () => {
  expect([chosenRange({}), chosenRange({ range: '1h' })]).toEqual(['30d', '1h']);
  expect(chosenRange({ from: '2026-11-01T00:00:00.000Z' })).toBeNull();
});

describe('the rows of a chart', () => {
  test('are the days of the range, today included', () => {
    const { starts, labels } = timelineOf({ range: '7d' }, nowMs, undefined);
    expect([starts[0], starts.at(-1), starts.length, labels.length]).toEqual(['2026-11-14', '2026-11-20', 7, 7]);
  });

  test('end with one that is not over, unless the range ended before', () => {
    expect(timelineOf({ range: '7d' }, nowMs, undefined).unfinished).toBe(true);
    expect(timelineOf({ to: '2026-11-19T23:59:59.999Z' }, nowMs, '2026-11-01').unfinished).toBe(false);
  });

  test('are the hours of a short range, the current one included', () => {
    const { starts, interval } = timelineOf({ range: '24h' }, nowMs, undefined);
    expect([starts[0], starts.at(-1), starts.length, interval]).toEqual([
      '2026-11-19T11:00:00.000Z',
      '2026-11-20T10:00:00.000Z',
      24,
      'hour',
    ]);
  });

  test('start with the data where the range has no start', () => {
    const search = { to: '2026-11-03T12:00:00.000Z' };
    expect(timelineOf(search, nowMs, '2026-11-01').starts).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(timelineOf(search, nowMs, undefined).starts).toEqual(['2026-11-03']);
    expect(timelineOf({ from: '1970-01-01T00:00:00.000Z' }, nowMs, undefined).starts).toHaveLength(400);
  });

  test('lead to their own time, within the range', () => {
    const search = { from: '2026-11-19T10:15:00.000Z', to: '2026-11-19T12:00:00.000Z' };
    const hours = timelineOf(search, nowMs, undefined);
    expect(hours.starts.map((start) => rowRange(search, hours, start))).toEqual([
      { from: '2026-11-19T10:15:00.000Z', to: '2026-11-19T10:59:59.999Z' },
      { from: '2026-11-19T11:00:00.000Z', to: '2026-11-19T11:59:59.999Z' },
      { from: '2026-11-19T12:00:00.000Z', to: '2026-11-19T12:00:00.001Z' },
    ]);
    const days = timelineOf({ range: '7d' }, nowMs, undefined);
    expect(rowRange({ range: '7d', environment: ['a', 'b'] }, days, '2026-11-19')).toEqual({
      environment: ['a', 'b'],
      from: '2026-11-19T00:00:00.000Z',
      to: '2026-11-19T23:59:59.999Z',
    });
  });
});
