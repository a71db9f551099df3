import type { SpanKind } from '../../../contract/kinds.ts';
import { OpenAncestors } from './open-ancestors.ts';
import type { Marked, RepeatingNode } from './open-ancestors.ts';

/** The fields of a span that the rules about a whole trace need. */
export interface TraceNode extends RepeatingNode {
  spanId: string;
  parentSpanId: string;
  kind: SpanKind;
  model: string;
  agentName: string;
}

/** The results of the rules for one span. */
export interface ResolvedNode extends Marked {
  /** Its own agent name, else that of the nearest ancestor of kind `agent` (docs/semantics.md, "Agent names"). */
  agentName: string;
}

interface Visit<T> {
  node: T;
  /** Nearest ancestor agent's name. */
  agent: string;
  leaving: boolean;
}

/**
 * Applies the rules that need a whole trace to its spans (docs/semantics.md, "Agent names" and "Repeated calls"). Spans whose parent is
 * missing count as roots; a cycle is cut at the span whose id sorts first. Linear time and no recursion: a hostile trace may be one long chain.
 *
 * @param nodes each span of one trace once, without the trace's own record
 */
export function resolveTrace<T extends TraceNode>(nodes: readonly T[]): Map<T, ResolvedNode> {
  const children = childrenByParent(nodes);
  const resolved = new Map<T, ResolvedNode>();
  const present = new Set(nodes.map((node) => node.spanId));
  const roots = nodes.filter((node) => node.parentSpanId === '' || !present.has(node.parentSpanId));
  for (const root of roots) visitTree(root, children, resolved);
  // Sorted, so that the result does not depend on the order of `nodes`.
  const inCircles = nodes.filter((node) => !resolved.has(node)).toSorted(bySpanId);
  for (const node of inCircles) if (!resolved.has(node)) visitTree(node, children, resolved);
  return resolved;
}

function bySpanId(left: TraceNode, right: TraceNode): number {
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId);
}

function childrenByParent<T extends TraceNode>(nodes: readonly T[]): Map<string, T[]> {
  const children = new Map<string, T[]>();
  for (const node of nodes) {
    if (node.parentSpanId === '') continue;
    const siblings = children.get(node.parentSpanId);
    if (siblings) siblings.push(node);
    else children.set(node.parentSpanId, [node]);
  }
  return children;
}

function visitTree<T extends TraceNode>(root: T, children: Map<string, T[]>, resolved: Map<T, ResolvedNode>): void {
  // Ancestors on the current path, by kind and model, for which no repeated descendant was found yet.
  const open = new Map<string, OpenAncestors>();
  const stack: Array<Visit<T>> = [{ node: root, agent: '', leaving: false }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node } = visit;
    const key = callKey(node);
    const known = resolved.get(node);
    if (visit.leaving) {
      if (known) open.get(key)?.leave(node, known);
      continue;
    }
    if (known) continue;
    const own: ResolvedNode = { agentName: node.agentName === '' ? visit.agent : node.agentName, repeats: false };
    resolved.set(node, own);
    if (key !== '') {
      const ancestors = open.get(key) ?? new OpenAncestors();
      open.set(key, ancestors);
      ancestors.enter(node, own);
      stack.push({ node, agent: '', leaving: true });
    }
    const agent = node.kind === 'agent' && node.agentName !== '' ? node.agentName : visit.agent;
    for (const child of children.get(node.spanId) ?? []) stack.push({ node: child, agent, leaving: false });
  }
}

function callKey(node: TraceNode): string {
  return (node.kind === 'llm' || node.kind === 'embedding') && node.model !== '' ? `${node.kind}\n${node.model}` : '';
}
