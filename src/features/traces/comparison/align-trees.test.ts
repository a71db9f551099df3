import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignTrees, commonSequence } from './align-trees.ts';
import type { AlignedNode } from './align-trees.ts';

const label = fc.constantFrom('a', 'b', 'c');
/** A tree in depth-first order: a node is at most one level below the one before it. */
const tree = fc.array(fc.record({ label, down: fc.nat({ max: 4 }) }), { maxLength: 14 }).map((steps) => {
  const nodes: AlignedNode[] = [];
  for (const { label: name, down } of steps) {
    const deepest = nodes.length === 0 ? 0 : (nodes.at(-1)?.depth ?? 0) + 1;
    nodes.push({ label: name, depth: Math.min(down, deepest) });
  }
  return nodes;
});

function parentOf(nodes: readonly AlignedNode[], index: number): number | null {
  for (let at = index - 1; at >= 0; at--) if ((nodes[at]?.depth ?? 0) < (nodes[index]?.depth ?? 0)) return at;
  return null;
}

/** The length of the longest common sequence, by trying every choice. */
function longest(left: readonly string[], right: readonly string[]): number {
  const [first, ...rest] = left;
  if (first === undefined || right.length === 0) return 0;
  const at = right.indexOf(first);
  const without = longest(rest, right);
  return at === -1 ? without : Math.max(without, 1 + longest(rest, right.slice(at + 1)));
}

describe('two trees', () => {
  test('a tree with itself is in pairs', () => {
    fc.assert(
      fc.property(tree, (nodes) => {
        expect(alignTrees(nodes, nodes)).toEqual(nodes.map((_, index) => ({ a: index, b: index })));
      }),
    );
  });

  test('every node is in one row, in its order, behind its parent, and pairs have one label and paired parents', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const rows = alignTrees(a, b);
        for (const [side, nodes] of [['a', a] as const, ['b', b] as const]) {
          expect(rows.flatMap((row) => row[side] ?? [])).toEqual(nodes.map((_, index) => index));
        }
        const rowOfA = new Map(rows.map((row) => [row.a, row]));
        for (const row of rows) {
          if (row.a === null || row.b === null) continue;
          expect(a[row.a]?.label).toBe(b[row.b]?.label);
          const [parentA, parentB] = [parentOf(a, row.a), parentOf(b, row.b)];
          expect(parentA === null ? null : rowOfA.get(parentA)?.b).toBe(parentB);
        }
        expect(alignTrees(a, b)).toEqual(rows);
      }),
    );
  });

  test('the other way round as many nodes are paired', () => {
    const flat = fc.array(label, { maxLength: 10 }).map((labels) => labels.map((name) => ({ label: name, depth: 0 })));
    const pairs = (rows: ReturnType<typeof alignTrees>) => rows.filter(({ a, b }) => a !== null && b !== null).length;
    fc.assert(
      fc.property(flat, flat, (a, b) => {
        expect(pairs(alignTrees(a, b))).toBe(pairs(alignTrees(b, a)));
      }),
    );
  });

  test('what one has more stands at its place, with what is below it', () => {
    const a = [
      { label: 'agent', depth: 0 },
      { label: 'call', depth: 1 },
      { label: 'tool', depth: 1 },
      { label: 'call', depth: 1 },
    ];
    const b = [
      { label: 'agent', depth: 0 },
      { label: 'call', depth: 1 },
      { label: 'search', depth: 1 },
      { label: 'embedding', depth: 2 },
      { label: 'call', depth: 1 },
    ];
    expect(alignTrees(a, b)).toEqual([
      { a: 0, b: 0 },
      { a: 1, b: 1 },
      { a: 2, b: null },
      { a: null, b: 2 },
      { a: null, b: 3 },
      { a: 3, b: 4 },
    ]);
  });

  test('depths may jump: a hole counts as one level', () => {
    const holes = [
      { label: 'a', depth: 0 },
      { label: 'b', depth: 5 },
    ];
    expect(alignTrees(holes, [{ label: 'a', depth: 0 }])).toEqual([
      { a: 0, b: 0 },
      { a: 1, b: null },
    ]);
  });
});

test('the common sequence is a longest one', () => {
  const list = fc.array(label, { maxLength: 9 });
  fc.assert(
    fc.property(list, list, (left, right) => {
      const found = commonSequence(left, right);
      expect(found.length).toBe(longest(left, right));
      for (const [index, [row, column]] of found.entries()) {
        expect(left[row]).toBe(right[column]);
        const [rowBefore, columnBefore] = found[index - 1] ?? [-1, -1];
        expect(row > rowBefore && column > columnBefore).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

/** The largest comparisons: the process answers nobody else meanwhile. */
test.each([
  [
    'siblings of which each is new',
    (side: string) => (index: number) => ({ label: `${side}${index}`, depth: Math.min(index, 1) }),
  ],
  [
    'siblings of few names',
    (side: string) => (index: number) => ({ label: `${(index * (side === 'a' ? 7 : 11)) % 13}`, depth: Math.min(index, 1) }),
  ],
  ['one long chain', (side: string) => (index: number) => ({ label: `${side === 'a' ? index : index % 1999}`, depth: index })],
])('2,000 spans each are aligned in 0.3 s: %s', (_, nodeOf) => {
  const [a, b] = [
    Array.from({ length: 2_000 }, (_, index) => nodeOf('a')(index)),
    Array.from({ length: 2_000 }, (_, index) => nodeOf('b')(index)),
  ];
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    alignTrees(a, b);
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(300);
});
