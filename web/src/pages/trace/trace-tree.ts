import type { TraceSpan } from '../../api/service.ts';

/** Totals of a span and its descendants. Counts calls only: spans with a model whose tokens no descendant repeats. */
export interface Rollup {
  calls: number;
  unpriced: number;
  costUsd: number;
  inputTokens: number;
  outputTokens: number;
  errors: number;
}

/** A span in the tree. Indexes refer to the service's order, depth first. */
export interface TreeNode {
  span: TraceSpan;
  index: number;
  /** Index of the parent; -1 for a root. */
  parent: number;
  depth: number;
  /** Index after the last descendant. */
  end: number;
  children: number[];
  /** Milliseconds since the trace's first start. */
  startMs: number;
  /** A running span extends to the end of the trace. */
  endMs: number;
  rollup: Rollup;
}

export interface TraceTree {
  nodes: readonly TreeNode[];
  /** From the first start to the last end, or to the load time while a span is running. Milliseconds, at least 1. */
  totalMs: number;
}

/**
 * Builds the tree of a trace.
 *
 * @param spans depth first, with their depth
 * @param asOfMs when the spans were loaded, epoch milliseconds: the end of running spans
 */
export function traceTree(spans: readonly TraceSpan[], asOfMs = 0): TraceTree {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  for (const { startTime, durationMs } of spans) {
    const startMs = Date.parse(startTime);
    firstMs = Math.min(firstMs, startMs);
    lastMs = Math.max(lastMs, durationMs === null ? Math.max(startMs, asOfMs) : startMs + durationMs);
  }
  const totalMs = lastMs > firstMs ? lastMs - firstMs : 1;
  const nodes: TreeNode[] = [];
  const open: number[] = [];
  for (const [index, span] of spans.entries()) {
    while (open.length > 0 && (nodes[open.at(-1) ?? 0]?.depth ?? 0) >= span.depth) open.pop();
    const parent = open.at(-1) ?? -1;
    const startMs = Date.parse(span.startTime) - firstMs;
    const endMs = span.durationMs === null ? totalMs : startMs + span.durationMs;
    const rollup = { calls: 0, unpriced: 0, costUsd: 0, inputTokens: 0, outputTokens: 0, errors: 0 };
    nodes.push({ span, index, parent, depth: open.length, end: index + 1, children: [], startMs, endMs, rollup });
    nodes[parent]?.children.push(index);
    open.push(index);
  }
  rollUp(nodes);
  return { nodes, totalMs };
}

const isCounted = ({ kind, model }: TraceSpan) => (kind === 'llm' || kind === 'embedding') && model !== null;
const hasTokens = ({ usage }: TraceSpan) => (usage?.inputTokens ?? 0) > 0 || (usage?.outputTokens ?? 0) > 0;

/** Adds up totals from the leaves. An outer span of a framework that repeats its children is not counted as a call. */
function rollUp(nodes: TreeNode[]): void {
  // For each span: kinds and models of descendants with tokens.
  const carried = nodes.map(() => new Set<string>());
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index];
    const below = carried[index];
    if (!node || !below) continue;
    const { span, rollup } = node;
    const name = `${span.kind} ${span.model ?? ''}`;
    if (isCounted(span) && !below.has(name)) {
      rollup.calls += 1;
      rollup.costUsd += span.costUsd ?? 0;
      rollup.unpriced += Number(span.costStatus === 'unpriced');
      rollup.inputTokens += span.usage?.inputTokens ?? 0;
      rollup.outputTokens += span.usage?.outputTokens ?? 0;
    }
    if (isCounted(span) && hasTokens(span)) below.add(name);
    rollup.errors += Number(span.status === 'error');
    const parent = nodes[node.parent];
    if (!parent) continue;
    parent.end = Math.max(parent.end, node.end);
    for (const key of Object.keys(rollup) as Array<keyof Rollup>) parent.rollup[key] += rollup[key];
    carried[node.parent] = joined(carried[node.parent], below);
    // Not needed any more; a deep tree would keep one set per level.
    carried[index] = new Set();
  }
}

/** The union of two sets, added to the larger one: linear for a chain of spans. */
function joined(one: Set<string> | undefined, other: Set<string>): Set<string> {
  const [smaller, larger] = one && one.size > other.size ? [other, one] : [one, other];
  for (const name of smaller ?? []) larger.add(name);
  return larger;
}

/**
 * The visible spans. With a filter: matches and their ancestors, collapsed or not.
 *
 * @param hidden indexes of spans that are not shown with what is below them, without a filter
 * @returns also the number of matches
 */
export function visibleNodes(
  { nodes }: TraceTree,
  folded: ReadonlySet<string>,
  matches: ((span: TraceSpan) => boolean) | null,
  hidden: ReadonlySet<number> = new Set(),
): { rows: TreeNode[]; found: number } {
  if (matches === null) {
    const rows: TreeNode[] = [];
    for (let index = 0; index < nodes.length;) {
      const node = nodes[index];
      if (!node) break;
      if (hidden.has(index)) {
        index = node.end;
        continue;
      }
      rows.push(node);
      index = folded.has(node.span.spanId) ? node.end : index + 1;
    }
    return { rows, found: nodes.length };
  }
  const shown = new Set<number>();
  let found = 0;
  for (const node of nodes) {
    if (!matches(node.span)) continue;
    found += 1;
    for (let index = node.index; index >= 0 && !shown.has(index); index = nodes[index]?.parent ?? -1) shown.add(index);
  }
  return { rows: nodes.filter(({ index }) => shown.has(index)), found };
}
