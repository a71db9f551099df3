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
  /** The results for its parent; null for a root, and where a cycle is cut. */
  parent: ResolvedNode | null;
}

interface Visit<T> {
  node: T;
  /** Nearest ancestor agent's name. */
  agent: string;
  parent: ResolvedNode | null;
  leaving: boolean;
}

/**
 * Applies the rules that need a whole trace to its spans (docs/semantics.md, "Agent names" and "Repeated calls"). Spans whose parent is
 * missing count as roots; a cycle is cut at the span whose id sorts first. Linear time and no recursion: a hostile trace may be one long chain.
 *
 * @param nodes each span of one trace once, without the trace's own record
 * @returns a parent stands before its children
 */
export function resolveTrace<T extends TraceNode>(nodes: readonly T[]): Map<T, ResolvedNode> {
  const children = childrenByParent(nodes);
  const resolved = new Map<T, ResolvedNode>();
  const present = new Set(nodes.map((node) => node.spanId));
  const roots = nodes.filter((node) => node.parentSpanId === '' || !present.has(node.parentSpanId));
  for (const root of roots) visitTree(root, children, resolved);
  for (const node of cutsOfCycles(nodes.filter((one) => !resolved.has(one)))) visitTree(node, children, resolved);
  return resolved;
}

/**
 * The span of each cycle whose id sorts first. Spans below a cycle are no part of it.
 *
 * @param nodes spans in cycles or below them: the parent of each is one of them
 */
function cutsOfCycles<T extends TraceNode>(nodes: readonly T[]): T[] {
  const byId = new Map(nodes.map((node) => [node.spanId, node]));
  const parentOf = (node: T) => byId.get(node.parentSpanId);
  /** The span from which each was reached. */
  const reachedFrom = new Map<T, T>();
  const cuts: T[] = [];
  for (const start of nodes) {
    let node: T | undefined = start;
    for (; node && !reachedFrom.has(node); node = parentOf(node)) reachedFrom.set(node, start);
    if (!node || reachedFrom.get(node) !== start) continue;
    let cut = node;
    for (let other = parentOf(node); other && other !== node; other = parentOf(other)) {
      if (other.spanId < cut.spanId) cut = other;
    }
    cuts.push(cut);
  }
  return cuts;
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
  const stack: Array<Visit<T>> = [{ node: root, agent: '', parent: null, leaving: false }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node } = visit;
    const key = callKey(node);
    const known = resolved.get(node);
    if (visit.leaving) {
      if (known) open.get(key)?.leave(node, known);
      continue;
    }
    if (known) continue;
    const agentName = node.agentName === '' ? visit.agent : node.agentName;
    const own: ResolvedNode = { agentName, repeats: false, parent: visit.parent };
    resolved.set(node, own);
    if (key !== '') {
      const ancestors = open.get(key) ?? new OpenAncestors();
      open.set(key, ancestors);
      ancestors.enter(node, own);
      stack.push({ node, agent: '', parent: null, leaving: true });
    }
    const agent = node.kind === 'agent' && node.agentName !== '' ? node.agentName : visit.agent;
    for (const child of children.get(node.spanId) ?? []) stack.push({ node: child, agent, parent: own, leaving: false });
  }
}

function callKey(node: TraceNode): string {
  return (node.kind === 'llm' || node.kind === 'embedding') && node.model !== '' ? `${node.kind}\n${node.model}` : '';
}
