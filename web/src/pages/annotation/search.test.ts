import { describe, expect, test } from 'vitest';
import type { Score } from '../../api/wire.ts';
import { after, isWanted, queueRequest, readAnnotationSearch } from './search.ts';

const nowMs = Date.parse('2026-11-20T10:00:30.000Z');
const place = (traceId: string, minute: number) => ({
  traceId,
  startTime: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
});

test('a URL is read, and what makes no sense is left out', () => {
  expect(
    readAnnotationSearch({
      evaluator: 'tone',
      pick: 'low',
      below: 'much',
      as: 'number',
      done: '-1',
      trace: 't',
      before: 'x',
      status: 'error',
    }),
  ).toEqual({ evaluator: 'tone', pick: 'low', as: 'number', status: 'error' });
  expect(readAnnotationSearch({ pick: 'unscored', trace: 't', before: '2026-11-20T09:00:00Z', done: '12' })).toEqual({
    trace: 't',
    before: '2026-11-20T09:00:00.000Z',
    done: '12',
  });
});

describe('what is asked for', () => {
  test('at the beginning is the range as it is', () => {
    expect(queueRequest({ range: '7d', model: 'm' }, nowMs, null)).toEqual({ range: '7d', model: 'm', sort: '-startTime' });
  });

  test('from a place on ends there, and begins with the same day', () => {
    const from = place('t', 5);
    expect(queueRequest({ range: '7d' }, nowMs, from)).toEqual({
      from: '2026-11-14T00:00:00.000Z',
      to: from.startTime,
      sort: '-startTime',
    });
    expect(queueRequest({ range: '1h' }, nowMs, from)).toMatchObject({ from: '2026-11-20T09:00:00.000Z', to: from.startTime });
    expect(queueRequest({ to: '2026-11-20T09:30:00.000Z' }, nowMs, from)).toEqual({ to: from.startTime, sort: '-startTime' });
  });
});

describe('what comes after a place', () => {
  const traces = [place('a', 5), place('b', 5), place('c', 4)];
  test('are the ones behind it', () => {
    expect(after(traces, place('b', 5)).map(({ traceId }) => traceId)).toEqual(['c']);
    expect(after(traces, null)).toHaveLength(3);
  });
  test('are the older ones when it is gone', () => {
    expect(after(traces, place('gone', 5)).map(({ traceId }) => traceId)).toEqual(['c']);
  });
});

test('traces are picked by their scores of the evaluator', () => {
  const scores = [
    { evaluator: 'tone', score: 0.4, passed: false },
    { evaluator: 'other', score: 0, passed: null },
  ] as Score[];
  expect(isWanted(scores, 'tone', 'unscored', 0)).toBe(false);
  expect(isWanted(scores, 'third', 'unscored', 0)).toBe(true);
  expect([isWanted(scores, 'tone', 'low', 0.5), isWanted(scores, 'tone', 'low', 0.4)]).toEqual([true, false]);
  expect([isWanted(scores, 'tone', 'failed', 0), isWanted(scores, 'other', 'failed', 0)]).toEqual([true, false]);
  expect(isWanted([], 'tone', 'all', 0)).toBe(true);
});
