/** The fields that determine the order of a trace's spans. */
export interface TreeNode {
  spanId: string;
  parentSpanId: string;
  startNs: bigint;
}

export interface PlacedNode<T> {
  node: T;
  /** 0 for a root. */
  depth: number;
}

/**
 * The spans of one trace depth first, children by start time and then span id. A span whose parent is not in the trace counts as a root; a
 * cycle is cut at its earliest span. Every span appears exactly once. Linear time besides sorting, and no recursion, since a hostile trace may
 * be one long chain.
 *
 * @param nodes each span once
 */
export function treeOrder<T extends TreeNode>(nodes: readonly T[]): Array<PlacedNode<T>> {
  const sorted = nodes.toSorted(byStart);
  const present = new Set(nodes.map((node) => node.spanId));
  const children = Map.groupBy(sorted, (node) => node.parentSpanId);
  const placed = new Map<T, PlacedNode<T>>();
  const place = (root: T) => {
    const stack: Array<PlacedNode<T>> = [{ node: root, depth: 0 }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, depth } = next;
      if (placed.has(node)) continue;
      placed.set(node, next);
      for (const child of (children.get(node.spanId) ?? []).toReversed()) stack.push({ node: child, depth: depth + 1 });
    }
  };
  for (const node of sorted) if (node.parentSpanId === '' || !present.has(node.parentSpanId)) place(node);
  for (const node of sorted) if (!placed.has(node)) place(node);
  return [...placed.values()];
}

function byStart(left: TreeNode, right: TreeNode): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId);
}
