import type { TraceTree, TreeNode } from './trace-tree.ts';

/** An interval in which a span itself, and none of its descendants, is on the critical path. Milliseconds since the trace's start. */
export interface Stretch {
  startMs: number;
  endMs: number;
}

/** A span and the interval in which its parent waited for it, clipped to the parent's start. */
interface Waited extends Stretch {
  node: TreeNode;
}

/**
 * The critical path: the spans that determine the end of the trace. Walks back from the end: a span waits for the child that ended last,
 * before that for the child that ended last before this one started, and so on.
 *
 * @returns the own intervals of each span on the path, by span index
 */
export function criticalPath({ nodes, totalMs }: TraceTree): Map<number, Stretch[]> {
  const path = new Map<number, Stretch[]>();
  const roots = nodes.filter(({ parent }) => parent === -1);
  // No recursion: a chain of spans can be thousands deep.
  const waiting: Waited[] = [];
  waitFor(roots, 0, totalMs, waiting);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, startMs, endMs } = next;
    const children = node.children.flatMap((index) => nodes[index] ?? []);
    path.set(node.index, waitFor(children, startMs, endMs, waiting));
  }
  return path;
}

/** @returns the intervals between `fromMs` and `untilMs` in which no child was waited for */
function waitFor(children: readonly TreeNode[], fromMs: number, untilMs: number, waiting: Waited[]): Stretch[] {
  const own: Stretch[] = [];
  let cursor = untilMs;
  for (const child of children.toSorted((left, right) => right.endMs - left.endMs)) {
    if (cursor <= fromMs) break;
    const endMs = Math.min(child.endMs, cursor);
    // The child started after the cursor, or ended before the span started.
    if (child.startMs >= cursor || endMs <= fromMs) continue;
    if (endMs < cursor) own.push({ startMs: endMs, endMs: cursor });
    cursor = Math.max(child.startMs, fromMs);
    waiting.push({ node: child, startMs: cursor, endMs });
  }
  if (cursor > fromMs) own.push({ startMs: fromMs, endMs: cursor });
  return own;
}
