import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { treeOrder } from './tree-order.ts';
import type { TreeNode } from './tree-order.ts';

function shape(nodes: TreeNode[]): string[] {
  return treeOrder(nodes).map(({ node, depth }) => `${'.'.repeat(depth)}${node.spanId}`);
}

function node(spanId: string, parentSpanId: string, start = 0): TreeNode {
  return { spanId, parentSpanId, startNs: BigInt(start) };
}

test('is depth first, children by start time and then span id', () => {
  expect(
    shape([node('b', 'r', 2), node('c', 'r', 1), node('a', 'r', 2), node('d', 'c', 9), node('r', '', 5), node('z', '', 4)]),
  ).toEqual(['z', 'r', '.c', '..d', '.a', '.b']);
});

test('treats a span without its parent as a root, and cuts a cycle at its earliest span', () => {
  expect(shape([node('o', 'gone', 3), node('k', 'o', 1)])).toEqual(['o', '.k']);
  expect(shape([node('x', 'y', 2), node('y', 'x', 1), node('s', 's', 0), node('t', 'x', 3)])).toEqual(['s', 'y', '.x', '..t']);
});

test('handles a chain of 100,000 spans', () => {
  const chain = Array.from({ length: 100_000 }, (_, index) => node(`${index}`, index === 0 ? '' : `${index - 1}`));
  expect(treeOrder(chain).at(-1)?.depth).toBe(99_999);
});

test('every span appears once, below its parent and in order, for any parents', () => {
  const name = fc.integer({ min: 0, max: 12 }).map(String);
  const nodes = fc.uniqueArray(
    fc.record({ spanId: name, parentSpanId: fc.oneof(fc.constant(''), name), startNs: fc.bigInt(0n, 3n) }),
    { selector: (span) => span.spanId, maxLength: 13 },
  );
  fc.assert(
    fc.property(nodes, (spans) => {
      const placed = treeOrder(spans);
      expect(placed.map(({ node: span }) => span.spanId).toSorted()).toEqual(spans.map((span) => span.spanId).toSorted());
      const path: TreeNode[] = [];
      let before: { node: TreeNode; depth: number } | undefined;
      for (const { node: span, depth } of placed) {
        if (depth > 0) expect(path[depth - 1]?.spanId).toBe(span.parentSpanId);
        path.length = depth;
        path.push(span);
        if (before && before.depth === depth && before.node.parentSpanId === span.parentSpanId && depth > 0) {
          expect(before.node.startNs <= span.startNs).toBe(true);
        }
        before = { node: span, depth };
      }
    }),
  );
});
