import { expect, test } from 'vitest';
import { canSelectAll, selectionOf } from './selection-body.ts';
import { spanKey, spanOfKey } from './span-key.ts';

const now = Date.parse('2026-11-20T10:30:45Z');

test('ticked records are named by their ids', () => {
  const span = { traceId: 'a"b', spanId: 'c d' };
  expect(spanOfKey(spanKey(span))).toEqual(span);
  expect(selectionOf({ on: 'spans' }, { all: false, keys: new Set([spanKey(span)]) }, now)).toEqual({ on: 'spans', ids: [span] });
  expect(selectionOf({ filter: 'x' }, { all: false, keys: new Set(['t1', 't2']) }, now)).toEqual({
    on: 'traces',
    ids: ['t1', 't2'],
  });
});

test('all that match are named by the filter and the time of the list, but for some', () => {
  expect(selectionOf({ filter: 'status:error', range: '7d' }, { all: true, keys: new Set(['t']) }, now)).toEqual({
    on: 'traces',
    filter: 'status:error',
    from: '2026-11-14T00:00:00.000Z',
    to: '2026-11-20T10:30:45.000Z',
    except: ['t'],
  });
  const bounded = {
    on: 'spans' as const,
    filter: 'a OR b',
    simulated: '1' as const,
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z',
  };
  expect(selectionOf(bounded, { all: true, keys: new Set() }, now)).toEqual({
    on: 'spans',
    filter: '(a OR b) source:*',
    from: bounded.from,
    to: bounded.to,
  });
  expect(selectionOf({}, { all: true, keys: new Set() }, now)).toMatchObject({ filter: '', from: '2026-10-22T00:00:00.000Z' });
});

test('what no filter says is not selected as a whole', () => {
  expect([canSelectAll({ filter: 'a' }), canSelectAll({ q: 'a' }), canSelectAll({ roots: '1' })]).toEqual([true, false, false]);
});
