import { describe, expect, test } from 'vitest';
import { after, pickFilter, queueRequest, readAnnotationSearch } from './search.ts';

const nowMs = Date.parse('2026-11-20T10:00:30.000Z');
const place = (traceId: string, minute: number) => ({
  traceId,
  startTime: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
});

test('a URL is parsed; invalid values are dropped', () => {
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

describe('the request', () => {
  test('at the start uses the range unchanged', () => {
    expect(queueRequest({ range: '7d', model: 'm' }, nowMs, null, {})).toEqual({
      range: '7d',
      model: 'm',
      simulated: 'false',
      sort: '-startTime',
    });
  });

  test('after a position ends there, and starts with the same day', () => {
    const from = place('t', 5);
    expect(queueRequest({ range: '7d', tag: 't' }, nowMs, from, { unscoredBy: 'tone' })).toEqual({
      tag: 't',
      simulated: 'false',
      unscoredBy: 'tone',
      from: '2026-11-14T00:00:00.000Z',
      to: from.startTime,
      sort: '-startTime',
    });
    expect(queueRequest({ range: '1h' }, nowMs, from, {})).toMatchObject({
      from: '2026-11-20T09:00:00.000Z',
      to: from.startTime,
    });
    expect(queueRequest({ to: '2026-11-20T09:30:00.000Z' }, nowMs, from, {})).toEqual({
      to: from.startTime,
      simulated: 'false',
      sort: '-startTime',
    });
  });
});

describe('the traces after a position', () => {
  const traces = [place('a', 5), place('b', 5), place('c', 4)];
  const ids = (found: ReadonlyArray<{ traceId: string }> | null) => found?.map(({ traceId }) => traceId);
  test('follow it in the list', () => {
    expect(ids(after(traces, place('b', 5)))).toEqual(['c']);
    expect(after(traces, null)).toHaveLength(3);
  });
  test('are the older ones if it was deleted', () => {
    expect(ids(after([place('c', 4)], place('gone', 5)))).toEqual(['c']);
    expect(ids(after(traces, place('gone', 5), [place('a', 5), place('b', 5)]))).toEqual(['c']);
  });
  test('within the same millisecond are determined by all traces of it, since the trace may no longer be selected', () => {
    expect(after(traces, place('scored', 5))).toBeNull();
    const together = [place('a', 5), place('scored', 5), place('unpicked', 5), place('b', 5)];
    expect(ids(after(traces, place('scored', 5), together))).toEqual(['b', 'c']);
  });
});

test('traces are selected by their scores of the evaluator', () => {
  expect(pickFilter({}, 'tone')).toEqual({ unscoredBy: 'tone' });
  expect(pickFilter({ pick: 'failed' }, 'tone')).toEqual({ evaluator: 'tone', passed: 'false' });
  expect(pickFilter({ pick: 'low' }, 'tone')).toEqual({ evaluator: 'tone', maxScore: 0.5 });
  expect(pickFilter({ pick: 'low', below: '2' }, 'tone')).toEqual({ evaluator: 'tone', maxScore: 2 });
  expect(pickFilter({ pick: 'all' }, 'tone')).toEqual({});
});
