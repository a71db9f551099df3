import type { TreeNode, TraceTree } from './trace-tree.ts';

/** Iterations of a loop that are shown as one line. */
export interface Iterations {
  /** Indexes of the hidden spans, each with its descendants hidden too. */
  hidden: readonly number[];
  /** Number of hidden iterations. */
  count: number;
}

/** Most spans beside each other that are one iteration. */
const maxPeriod = 4;
/** Iterations from which those between the first and the last are hidden. */
const minIterations = 4;

/**
 * Finds equal iterations among the children of a span: a sequence of up to four spans that repeats, each with the same kind, name, status and descendants. The
 * first and the last iteration stay. Pure function, in time linear in the number of spans.
 *
 * @returns by the index of the first span of the first iteration
 */
export function equalIterations({ nodes }: TraceTree): ReadonlyMap<number, Iterations> {
  const shapes = shapesOf(nodes);
  const found = new Map<number, Iterations>();
  const roots = nodes.filter(({ parent }) => parent < 0).map(({ index }) => index);
  for (const siblings of [roots, ...nodes.map(({ children }) => children)]) {
    for (let at = 0; at < siblings.length;) {
      const { period, count } = bestRepetition(siblings, at, shapes);
      if (count < minIterations) {
        at += 1;
        continue;
      }
      const hidden = siblings.slice(at + period, at + period * (count - 1));
      found.set(siblings[at] ?? 0, { hidden, count: count - 2 });
      at += period * count;
    }
  }
  return found;
}

/** A number for each span: equal for spans of the same kind, name and status with equal descendants. */
function shapesOf(nodes: readonly TreeNode[]): number[] {
  const numbers = new Map<string, number>();
  const shapes: number[] = Array.from({ length: nodes.length }, () => 0);
  for (const { index, span, children } of nodes.toReversed()) {
    const shape = JSON.stringify([span.kind, span.name, span.status === 'error', ...children.map((child) => shapes[child])]);
    const number = numbers.get(shape) ?? numbers.size + 1;
    numbers.set(shape, number);
    shapes[index] = number;
  }
  return shapes;
}

/** The sequence from a position on that repeats over the most spans; of equal ones the shortest. */
function bestRepetition(siblings: readonly number[], at: number, shapes: readonly number[]): { period: number; count: number } {
  let best = { period: 1, count: 1 };
  for (let period = 1; period <= maxPeriod; period++) {
    let end = at + period;
    while (end < siblings.length && shapes[siblings[end] ?? 0] === shapes[siblings[end - period] ?? 0]) end += 1;
    const count = Math.floor((end - at) / period);
    if (count >= minIterations && count * period > best.count * best.period) best = { period, count };
  }
  return best;
}
