import { expect, test } from 'vitest';
import { comparisonRows, measureDelta, outputsDiffer, sortOf } from './comparison-rows.ts';
import type { ComparedItem, ComparedSide } from '../../api/wire.ts';

const side = (scores: Record<string, number>, more: Partial<ComparedSide> = {}): ComparedSide => ({
  runItemId: 'r',
  traceId: null,
  output: 'yes',
  latencyMs: null,
  costUsd: null,
  error: null,
  scores: Object.entries(scores).map(([evaluator, score]) => ({ evaluator, score, passed: null, comment: null })),
  ...more,
});
const item = (a: ComparedSide | null, b: ComparedSide | null): ComparedItem => ({ datasetItemId: 'i', a, b });

test('the biggest regression is the lowest change of evaluators that scored both', () => {
  const [row] = comparisonRows([item(side({ exact: 1, helpful: 0.5, only: 1 }), side({ exact: 0, helpful: 0.75 }))]);
  expect([...(row?.deltas ?? [])]).toEqual([
    ['exact', -1],
    ['helpful', 0.25],
  ]);
  expect(row?.worst).toEqual({ evaluator: 'exact', delta: -1, share: -1 });
});

test('a regression is relative to the scale of its evaluator', () => {
  const rows = comparisonRows([
    item(side({ judge: 5, exact: 1 }), side({ judge: 4, exact: 0 })),
    item(side({ judge: 1 }), side({ judge: 5 })),
  ]);
  expect(rows[0]?.worst).toEqual({ evaluator: 'exact', delta: -1, share: -1 });
  expect(rows[1]?.worst).toEqual({ evaluator: 'judge', delta: 4, share: 1 });
});

test('an item in one run only has no change', () => {
  expect(comparisonRows([item(side({ exact: 1 }), null)])[0]).toMatchObject({ worst: null });
  expect(measureDelta(item(side({}, { latencyMs: 5 }), null), 'latencyMs')).toBeNull();
});

test('measures and outputs are compared', () => {
  expect(measureDelta(item(side({}, { latencyMs: 500 }), side({}, { latencyMs: 750 })), 'latencyMs')).toBe(250);
  expect(outputsDiffer(item(side({}), side({})))).toBe(false);
  expect(outputsDiffer(item(side({}), side({}, { output: { yes: true } })))).toBe(true);
  expect(outputsDiffer(item(side({}), side({}, { error: true })))).toBe(true);
});

test.each([
  [undefined, { id: 'loss', descending: false }],
  ['-latency', { id: 'latency', descending: true }],
  ['score exact', { id: 'score exact', descending: false }],
])('the order %s', (text, sort) => {
  expect(sortOf(text)).toEqual(sort);
});

test('outputs nested 50,000 levels deep are compared', () => {
  const nested = (within: string) =>
    side({}, { output: JSON.parse('['.repeat(50_000) + within + ']'.repeat(50_000)) as unknown });
  expect(outputsDiffer(item(nested('1'), nested('1')))).toBe(false);
  expect(outputsDiffer(item(nested('1'), nested('2')))).toBe(true);
});
