import type { TraceTree, TreeNode } from './trace-tree.ts';

/** A stretch of time in which a span itself, and none under it, kept the trace from ending. Milliseconds since the trace's start. */
export interface Stretch {
  startMs: number;
  endMs: number;
}

/** A span, and the part of it that was waited for: one that began before its parent did counts from there. */
interface Waited extends Stretch {
  node: TreeNode;
}

/**
 * The critical path: what would have to be faster for the trace to end sooner. Walks back from the end: whatever of a span's children
 * ended last is what the span waited for, then what ended last before that one began, and so on.
 *
 * @returns for each span on the path its own stretches, by index
 */
export function criticalPath({ nodes, totalMs }: TraceTree): Map<number, Stretch[]> {
  const path = new Map<number, Stretch[]>();
  const roots = nodes.filter(({ parent }) => parent === -1);
  // A stack and no recursion: a chain of spans can be thousands deep.
  const waiting: Waited[] = [];
  waitFor(roots, 0, totalMs, waiting);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, startMs, endMs } = next;
    const children = node.children.flatMap((index) => nodes[index] ?? []);
    path.set(node.index, waitFor(children, startMs, endMs, waiting));
  }
  return path;
}

/** @returns the stretches from `fromMs` to `untilMs` in which none of the children was waited for */
function waitFor(children: readonly TreeNode[], fromMs: number, untilMs: number, waiting: Waited[]): Stretch[] {
  const own: Stretch[] = [];
  let cursor = untilMs;
  for (const child of children.toSorted((left, right) => right.endMs - left.endMs)) {
    if (cursor <= fromMs) break;
    const endMs = Math.min(child.endMs, cursor);
    // It began after what is waited for, or ended before the span itself began.
    if (child.startMs >= cursor || endMs <= fromMs) continue;
    if (endMs < cursor) own.push({ startMs: endMs, endMs: cursor });
    cursor = Math.max(child.startMs, fromMs);
    waiting.push({ node: child, startMs: cursor, endMs });
  }
  if (cursor > fromMs) own.push({ startMs: fromMs, endMs: cursor });
  return own;
}
