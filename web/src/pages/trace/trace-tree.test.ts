import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceSpan } from '../../api/service.ts';
import { criticalPath } from './critical-path.ts';
import { traceTree, visibleNodes } from './trace-tree.ts';

const base = Date.UTC(2026, 10, 20);

function span(
  spanId: string,
  depth: number,
  startMs: number,
  durationMs: number | null,
  fields: Partial<TraceSpan> = {},
): TraceSpan {
  const startTime = new Date(base + startMs).toISOString();
  return {
    spanId,
    depth,
    startTime,
    durationMs,
    name: spanId,
    kind: 'span',
    model: null,
    usage: null,
    costUsd: null,
    costStatus: 'priced',
    status: 'ok',
    ...fields,
  } as TraceSpan;
}

const call = (model: string, inputTokens: number, costUsd: number): Partial<TraceSpan> => ({
  kind: 'llm',
  model,
  usage: { inputTokens },
  costUsd,
});

describe('the tree', () => {
  test('a running span lasts until the trace was loaded', () => {
    const spans = [span('root', 0, 0, null), span('a', 1, 100, 50), span('b', 1, 200, null)];
    const { nodes, totalMs } = traceTree(spans, base + 12_000);
    expect(totalMs).toBe(12_000);
    expect(nodes.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 12_000],
      [100, 150],
      [200, 12_000],
    ]);
    // The clock of the browser may be behind.
    expect(traceTree(spans, base - 60_000).totalMs).toBe(200);
    expect(traceTree([span('only', 0, 0, 0)], base + 12_000).totalMs).toBe(1);
  });

  test('parents, ends and totals follow from order and depth', () => {
    const { nodes, totalMs } = traceTree([
      span('root', 0, 0, 100),
      span('a', 1, 10, 40, call('m', 5, 0.1)),
      span('tool', 2, 20, 10, { status: 'error' }),
      span('b', 1, 60, null, call('m', 7, 0.2)),
      span('other', 0, 90, 5),
    ]);
    expect(totalMs).toBe(100);
    expect(nodes.map(({ parent, end }) => [parent, end])).toEqual([
      [-1, 4],
      [0, 3],
      [1, 3],
      [0, 4],
      [-1, 5],
    ]);
    expect(nodes[0]?.rollup).toMatchObject({ calls: 2, inputTokens: 12, errors: 1 });
    expect(nodes[0]?.rollup.costUsd).toBeCloseTo(0.3, 12);
    expect(nodes[3]?.endMs).toBe(100);
  });

  test('an outer span of a framework that repeats its children is not a call', () => {
    const { nodes } = traceTree([
      span('outer', 0, 0, 100, call('m', 50, 1)),
      span('inner', 1, 10, 40, call('m', 50, 1)),
      span('another model', 1, 50, 10, call('n', 8, 0.5)),
    ]);
    expect(nodes[0]?.rollup).toMatchObject({ calls: 2, inputTokens: 58, costUsd: 1.5 });
  });

  test('collapsing hides descendants; a filter shows matches with their ancestors', () => {
    const tree = traceTree([span('root', 0, 0, 9), span('a', 1, 0, 9), span('b', 2, 0, 9), span('c', 1, 0, 9)]);
    const ids = (rows: typeof tree.nodes) => rows.map((node) => node.span.spanId);
    expect(ids(visibleNodes(tree, new Set(['a']), null).rows)).toEqual(['root', 'a', 'c']);
    const filtered = visibleNodes(tree, new Set(['a']), ({ name }) => name === 'b');
    expect(ids(filtered.rows)).toEqual(['root', 'a', 'b']);
    expect(filtered.found).toBe(1);
  });

  test('a chain of 20,000 spans is supported', () => {
    const deep = Array.from({ length: 20_000 }, (_, depth) => span(String(depth), depth, depth / 100, 1000));
    const tree = traceTree(deep);
    expect(tree.nodes[0]?.end).toBe(20_000);
    expect(criticalPath(tree).size).toBeGreaterThan(0);
  });

  test('so is one with a different model in each span', () => {
    const deep = Array.from({ length: 20_000 }, (_, depth) => span(String(depth), depth, 0, 9, call(`m${depth}`, 1, 0.5)));
    const { nodes } = traceTree(deep);
    expect(nodes[0]?.rollup).toMatchObject({ calls: 20_000, inputTokens: 20_000, costUsd: 10_000 });
  });

  test('in any tree, a call is a span that no descendant repeats', () => {
    const row = fc.record({
      wanted: fc.nat(6),
      kind: fc.constantFrom<TraceSpan['kind']>('llm', 'embedding', 'chain'),
      model: fc.constantFrom(null, 'm', 'n', 'o'),
      inputTokens: fc.nat(2),
      status: fc.constantFrom<TraceSpan['status']>('ok', 'error'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        let before = -1;
        const spans = rows.map(({ wanted, kind, model, inputTokens, status }, index) => {
          before = Math.min(wanted, before + 1);
          return span(String(index), before, 0, 1, { kind, model, usage: { inputTokens }, costUsd: inputTokens / 4, status });
        });
        const under = (index: number) => {
          const end = spans.findIndex((one, at) => at > index && one.depth <= (spans[index]?.depth ?? 0));
          return spans.slice(index + 1, end < 0 ? spans.length : end);
        };
        const isModel = ({ kind, model }: TraceSpan) => kind !== 'chain' && model !== null;
        const calls = new Set(
          spans.filter((one, index) => {
            const repeats = ({ kind, model, usage }: TraceSpan) =>
              kind === one.kind && model === one.model && (usage?.inputTokens ?? 0) > 0;
            return isModel(one) && !under(index).some(repeats);
          }),
        );
        const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
        for (const [index, { rollup }] of traceTree(spans).nodes.entries()) {
          const all = [...spans.slice(index, index + 1), ...under(index)];
          const counted = all.filter((one) => calls.has(one));
          expect(rollup).toEqual({
            calls: counted.length,
            unpriced: 0,
            costUsd: sum(counted.map(({ costUsd }) => costUsd ?? 0)),
            inputTokens: sum(counted.map(({ usage }) => usage?.inputTokens ?? 0)),
            outputTokens: 0,
            errors: all.filter(({ status }) => status === 'error').length,
          });
        }
      }),
    );
  });
});

describe('the critical path', () => {
  const onPath = (spans: TraceSpan[]) => {
    const path = criticalPath(traceTree(spans));
    return spans.flatMap(({ spanId }, index) => (path.has(index) ? [spanId] : []));
  };

  test('contains the last to end of two parallel spans', () => {
    expect(onPath([span('root', 0, 0, 100), span('fast', 1, 10, 20), span('slow', 1, 10, 80)])).toEqual(['root', 'slow']);
  });

  test('contains sequential spans and the own time between them', () => {
    const spans = [span('root', 0, 0, 100), span('first', 1, 10, 30), span('second', 1, 50, 40)];
    expect(criticalPath(traceTree(spans)).get(0)).toEqual([
      { startMs: 90, endMs: 100 },
      { startMs: 40, endMs: 50 },
      { startMs: 0, endMs: 10 },
    ]);
  });

  test('its intervals do not overlap and cover the roots', () => {
    const times = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 4 })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(times, (rows) => {
        let before = -1;
        const spans = rows.map(([startMs, durationMs, wanted], index) => {
          const depth = Math.min(wanted, before + 1);
          before = depth;
          return span(String(index), depth, startMs, durationMs);
        });
        const tree = traceTree(spans);
        const stretches = [...criticalPath(tree).values()].flat().toSorted((left, right) => left.startMs - right.startMs);
        for (const [index, { startMs }] of stretches.entries()) {
          expect(startMs).toBeGreaterThanOrEqual(stretches[index - 1]?.endMs ?? 0);
        }
        const total = stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        expect(total).toBeLessThanOrEqual(tree.totalMs + 1e-6);
      }),
    );
  });
});
