/** A span as the alignment sees it. A list of them is a tree in depth-first order. */
export interface AlignedNode {
  /** 0 for a root; a node is below the nearest node before it with a smaller depth. */
  depth: number;
  /** What must be equal for two nodes to be a pair. */
  label: string;
}

/** Indexes into the two lists; null where the other tree has no such node. */
export interface AlignedPair {
  a: number | null;
  b: number | null;
}

/**
 * Pairs the nodes of two trees (docs/semantics.md, "Two traces side by side"): the roots by the longest common sequence of their labels, then the children of each
 * pair likewise. Every node is in one pair, parents before children, and the nodes of each tree keep their order.
 *
 * The lists of children of all pairs are disjoint, so their tables have at most as many cells together as the product of the numbers of nodes.
 */
export function alignTrees(a: readonly AlignedNode[], b: readonly AlignedNode[]): AlignedPair[] {
  const [treeA, treeB] = [treeOf(a), treeOf(b)];
  const rows: AlignedPair[] = [];
  // A stack, since a trace may be one long chain. The last entry is the next row.
  const waiting: AlignedPair[] = pairsOf(treeA.roots, treeB.roots, a, b).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    rows.push(next);
    const below = pairsOf(childrenOf(treeA, next.a), childrenOf(treeB, next.b), a, b);
    for (const pair of below.toReversed()) waiting.push(pair);
  }
  return rows;
}

interface Tree {
  roots: number[];
  /** The children of each node by its index. */
  children: number[][];
}

function treeOf(nodes: readonly AlignedNode[]): Tree {
  const tree: Tree = { roots: [], children: nodes.map(() => []) };
  const above: number[] = [];
  for (const [index, { depth }] of nodes.entries()) {
    while (above.length > 0 && (nodes[above.at(-1) ?? 0]?.depth ?? 0) >= depth) above.pop();
    const parent = above.at(-1);
    (parent === undefined ? tree.roots : tree.children[parent])?.push(index);
    above.push(index);
  }
  return tree;
}

const childrenOf = (tree: Tree, index: number | null): readonly number[] => (index === null ? [] : (tree.children[index] ?? []));

/** Siblings in pairs: between two pairs, first what only `a` has, then what only `b` has. */
function pairsOf(
  left: readonly number[],
  right: readonly number[],
  a: readonly AlignedNode[],
  b: readonly AlignedNode[],
): AlignedPair[] {
  const common = commonSequence(
    left.map((index) => a[index]?.label ?? ''),
    right.map((index) => b[index]?.label ?? ''),
  );
  const pairs: AlignedPair[] = [];
  let [atLeft, atRight] = [0, 0];
  for (const [nextLeft, nextRight] of [...common, [left.length, right.length] as const]) {
    while (atLeft < nextLeft) pairs.push({ a: left[atLeft++] ?? null, b: null });
    while (atRight < nextRight) pairs.push({ a: null, b: right[atRight++] ?? null });
    if (nextLeft < left.length && nextRight < right.length) {
      pairs.push({ a: left[atLeft++] ?? null, b: right[atRight++] ?? null });
    }
  }
  return pairs;
}

/**
 * The positions of a longest common sequence of two lists, the earliest ones where several are as long. Time and memory grow with the product of the
 * lengths, without their common beginning and end.
 */
export function commonSequence(left: readonly string[], right: readonly string[]): Array<readonly [number, number]> {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let same = 0;
  while (same < shorter - start && left[left.length - 1 - same] === right[right.length - 1 - same]) same++;
  const [rows, columns] = [left.length - start - same, right.length - start - same];
  const between = start === shorter ? [] : middleSequence(left.slice(start, start + rows), right.slice(start, start + columns));
  return [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...between.map(([row, column]) => [start + row, start + column] as const),
    ...Array.from({ length: same }, (_, index) => [start + rows + index, start + columns + index] as const),
  ];
}

function middleSequence(left: readonly string[], right: readonly string[]): Array<readonly [number, number]> {
  const [numbersLeft, numbersRight] = numbered(left, right);
  const width = right.length + 1;
  // The length of the longest sequence of what is behind each place.
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    const label = numbersLeft[row];
    for (let column = right.length - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] =
        label === numbersRight[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  const found: Array<readonly [number, number]> = [];
  for (let [row, column] = [0, 0]; row < left.length && column < right.length;) {
    const at = row * width + column;
    if (numbersLeft[row] === numbersRight[column]) found.push([row++, column++]);
    else if ((lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)) row++;
    else column++;
  }
  return found;
}

/** The labels as numbers, which are faster to compare. */
function numbered(left: readonly string[], right: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (label: string) => {
    const known = numbers.get(label) ?? numbers.size;
    numbers.set(label, known);
    return known;
  };
  return [Int32Array.from(left, numberOf), Int32Array.from(right, numberOf)];
}
