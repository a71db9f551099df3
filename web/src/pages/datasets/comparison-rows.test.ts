import { expect, test } from 'vitest';
import { comparisonRows, measureDelta, outputsDiffer, sortOf } from './comparison-rows.ts';
import { scoreScales } from './score-scales.ts';
import type { ComparedItem, ComparedSide } from '../../api/parts.ts';

const side = (scores: Record<string, number>, more: Partial<ComparedSide> = {}): ComparedSide => ({
  runItemId: 'r',
  traceId: null,
  output: 'yes',
  latencyMs: null,
  costUsd: null,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  error: null,
  scores: Object.entries(scores).map(([evaluator, score]) => ({ evaluator, score, passed: null, comment: null })),
  ...more,
});
const item = (a: ComparedSide | null, b: ComparedSide | null): ComparedItem => ({ datasetItemId: 'i', a, b });

const answers = (a: string, b: string, scores: { a: Record<string, number>; b: Record<string, number> }) =>
  item(side(scores.a, { output: a }), side(scores.b, { output: b }));
const rowsOf = (items: ComparedItem[], evaluator?: string, evaluators: Parameters<typeof scoreScales>[1] = []) =>
  comparisonRows(items, { scales: scoreScales(items, evaluators), evaluator });
const ordered = (rows: ReturnType<typeof rowsOf>) =>
  rows
    .map(({ rank }, index) => ({ rank, index }))
    .toSorted((one, other) => (one.rank ?? 9) - (other.rank ?? 9))
    .map(({ index }) => index);

test('the biggest regression is the lowest change of evaluators that scored both', () => {
  const [row] = rowsOf([answers('x', 'y', { a: { exact: 1, helpful: 0.5, only: 1 }, b: { exact: 0, helpful: 0.75 } })]);
  expect([...(row?.deltas ?? [])]).toEqual([
    ['exact', -1],
    ['helpful', 0.25],
  ]);
  expect(row).toMatchObject({ outcome: 'regressed', worst: { evaluator: 'exact', delta: -1, scale: [0, 1] } });
});

test('a regression is relative to the scale of its evaluator', () => {
  const items = [
    answers('x', 'y', { a: { judge: 5, exact: 1 }, b: { judge: 4, exact: 0 } }),
    answers('x', 'y', { a: { judge: 5 }, b: { judge: 3 } }),
    answers('x', 'y', { a: { length: 20 }, b: { length: 120 } }),
  ];
  const rows = rowsOf(items, undefined, [{ slug: 'judge', config: { scale: [1, 5] } }]);
  expect(rows.map(({ worst }) => worst)).toEqual([
    { evaluator: 'exact', delta: -1, scale: [0, 1] },
    { evaluator: 'judge', delta: -2, scale: [1, 5] },
    null,
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['regressed', 'regressed', 'improved']);
  expect(ordered(rows)).toEqual([0, 1, 2]);
});

test('an item that was fine and fails now is the greatest loss', () => {
  const rows = rowsOf([
    answers('right', 'wrong', { a: { exact: 1 }, b: { exact: 0 } }),
    item(side({ exact: 0 }), side({}, { output: null, error: 'timeout' })),
    item(side({}, { output: null, error: true }), side({})),
    item(side({}, { output: null, error: true }), side({}, { output: null, error: 'timeout' })),
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['regressed', 'failing', 'improved', 'unchanged']);
  expect(ordered(rows)).toEqual([1, 0, 3, 2]);
});

test('identical outputs never rank above wrong answers', () => {
  const identical = (a: number, b: number) => answers('same', 'same', { a: { fast: a, exact: 1 }, b: { fast: b, exact: 1 } });
  const items = [
    identical(1, 0),
    answers('right', 'wrong', { a: { fast: 1, exact: 1 }, b: { fast: 1, exact: 0.9 } }),
    answers('wrong', 'wrong too', { a: { exact: 0 }, b: { exact: 0 } }),
    identical(0, 1),
  ];
  const rows = rowsOf(items);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['unchanged', 'regressed', 'unchanged', 'unchanged']);
  expect(ordered(rows)).toEqual([1, 2, 0, 3]);
  // By one evaluator its changes count.
  const fast = rowsOf([...items, answers('x', 'y', { a: { fast: 1 }, b: { fast: 0.9 } })], 'fast');
  expect(fast.map(({ outcome }) => outcome)).toEqual(['regressed', 'unchanged', 'unscored', 'improved', 'regressed']);
  expect(ordered(fast)).toEqual([4, 0, 2, 1, 3]);
});

test('an item whose outputs differ is not unchanged where no evaluator scored both', () => {
  const rows = rowsOf([
    answers('x', 'y', { a: {}, b: {} }),
    answers('x', 'y', { a: { exact: 1 }, b: { helpful: 1 } }),
    answers('x', 'x', { a: {}, b: {} }),
    answers('x', 'y', { a: { exact: 1 }, b: { exact: 1 } }),
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['unscored', 'unscored', 'unchanged', 'unchanged']);
  expect(ordered(rows)).toEqual([0, 1, 3, 2]);
  const [byOther] = rowsOf([answers('x', 'y', { a: { exact: 1 }, b: { exact: 1 } })], 'helpful');
  expect(byOther?.outcome).toBe('unscored');
});

test('an item in one run only has no change', () => {
  expect(rowsOf([item(side({ exact: 1 }), null)])[0]).toMatchObject({ worst: null, outcome: 'single', rank: null });
  expect(measureDelta(item(side({ exact: 1 }), null), 'latencyMs')).toBeNull();
});

test('measures and outputs are compared', () => {
  expect(measureDelta(item(side({}, { latencyMs: 500 }), side({}, { latencyMs: 750 })), 'latencyMs')).toBe(250);
  const costs = (a: Partial<ComparedSide>, b: Partial<ComparedSide> = {}) =>
    measureDelta(item(side({}, { costUsd: 0.5, ...a }), side({}, { costUsd: 0.75, ...b })), 'costUsd');
  expect([costs({}), costs({ unpricedCalls: 1 }), costs({}, { partlyPricedCalls: 1 })]).toEqual([0.25, null, null]);
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

test('an evaluator with verdicts changes an item by them, as on the page of a batch run', () => {
  const judged = (score: number, passed: boolean) => ({ scores: [{ evaluator: 'judge', score, passed, comment: null }] });
  const pair = (a: [number, boolean], b: [number, boolean]) =>
    item(side({}, { output: 'x', ...judged(...a) }), side({}, { output: 'y', ...judged(...b) }));
  const rows = rowsOf([
    pair([0.9, true], [0.8, true]),
    pair([0.2, false], [0.4, false]),
    pair([0.9, true], [0.4, false]),
    pair([0.4, false], [0.9, true]),
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'regressed', 'improved']);
});
