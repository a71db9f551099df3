import { aboveNamedAgents, agentNameOf, takeErrors } from './agent-names.ts';
import { OpenCalls } from './open-calls.ts';
import { markRequests, markSameResponses, usageReports } from './sibling-calls.ts';
import { takeContents } from './taken-contents.ts';
import { byStart, isCallKind, markRepeats } from './trace-node.ts';
import type { ResolvedNode, TraceNode } from './trace-node.ts';

/** What the walk through a trace needs of the whole trace. */
interface Whole<T> {
  children: ReadonlyMap<string, T[]>;
  /** Spans that only report the call beside them. */
  reports: ReadonlyMap<TraceNode, TraceNode>;
  aboveNamedAgents: ReadonlySet<T>;
  responseIds: ReadonlySet<string>;
  resolved: Map<T, ResolvedNode>;
}

interface Visit<T> {
  node: T;
  /** Nearest ancestor agent's name. */
  agent: string;
  parent: ResolvedNode | null;
  leaving: boolean;
}

/**
 * Applies the rules that need a whole trace to its spans (docs/semantics.md, "Agent names", "Repeated calls", "Sessions"). Spans whose parent is
 * missing count as roots; a cycle is cut at the span whose id sorts first. Linear time besides sorting and no recursion: a hostile trace may be one
 * long chain. The order of `nodes` has no effect.
 *
 * @param nodes each span of one trace once, without the trace's own record
 * @returns depth first: a parent stands before its children, and siblings by start
 */
export function resolveTrace<T extends TraceNode>(nodes: readonly T[]): Map<T, ResolvedNode> {
  const sorted = nodes.toSorted(byStart);
  const byId = new Map(sorted.map((node) => [node.spanId, node]));
  const siblings = Map.groupBy(sorted, (node) => node.parentSpanId);
  const resolved = new Map<T, ResolvedNode>();
  const whole: Whole<T> = {
    children: siblings,
    reports: new Map([...siblings.values()].flatMap((group) => (group.length > 1 ? [...usageReports(group)] : []))),
    aboveNamedAgents: aboveNamedAgents(sorted, byId),
    responseIds: new Set(sorted.map(({ responseId }) => responseId).filter((id) => id !== '')),
    resolved,
  };
  const roots = sorted.filter((node) => node.parentSpanId === '' || !byId.has(node.parentSpanId));
  for (const root of roots) visitTree(root, whole);
  for (const node of cutsOfCycles(sorted.filter((one) => !resolved.has(one)))) visitTree(node, whole);
  for (const group of siblings.values()) markRequests(group, resolved);
  markSameResponses(resolved);
  takeContents(resolved, byId);
  takeErrors(resolved);
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

function visitTree<T extends TraceNode>(root: T, whole: Whole<T>): void {
  const { resolved, children } = whole;
  const calls = new OpenCalls();
  const tools = new OpenTools();
  const stack: Array<Visit<T>> = [{ node: root, agent: '', parent: null, leaving: false }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node } = visit;
    const known = resolved.get(node);
    if (known) {
      if (!visit.leaving) continue;
      if (known.kind === 'tool') tools.leave(node, known);
      else calls.leave(node, known);
      continue;
    }
    const own = resultOf(visit, whole);
    resolved.set(node, own);
    if (isCallKind(own) || own.kind === 'tool') {
      if (own.kind === 'tool') tools.enter(node, own);
      else calls.enter(node, own);
      stack.push({ node, agent: '', parent: null, leaving: true });
    }
    const agent = own.kind === 'agent' && own.agentName !== '' ? own.agentName : visit.agent;
    for (const child of (children.get(node.spanId) ?? []).toReversed()) {
      stack.push({ node: child, agent, parent: own, leaving: false });
    }
  }
}

function resultOf<T extends TraceNode>({ node, agent, parent }: Visit<T>, whole: Whole<T>): ResolvedNode {
  const call = whole.reports.get(node);
  const isUnnamedAgent = node.kind === 'agent' && node.agentName === '';
  const encloses = isUnnamedAgent && node.source === 'otlp' && whole.aboveNamedAgents.has(node);
  const own: ResolvedNode = {
    kind: call ? 'span' : encloses ? 'chain' : node.kind,
    agentName: node.agentName || (isUnnamedAgent && !encloses ? agentNameOf(node.name) : agent),
    sessionId: whole.responseIds.has(node.sessionId) ? '' : node.sessionId,
    errorCode: node.errorCode,
    errorMessage: node.errorMessage,
    repeats: false,
    repeated: null,
    contentFrom: '',
    depth: parent === null ? 0 : parent.depth + 1,
    parent,
  };
  if (call) markRepeats(own, call);
  return own;
}

/**
 * The tools on the path to a span, by name: a tool within a tool of its name is the call of the tool, unless the outer one failed and the inner one did
 * not.
 */
class OpenTools {
  readonly #ended = new Map<string, ResolvedNode[]>();
  readonly #failed = new Map<string, ResolvedNode[]>();

  enter(node: TraceNode, own: ResolvedNode): void {
    const name = toolOf(node);
    for (const open of node.error ? [this.#ended, this.#failed] : [this.#ended]) {
      for (const one of open.get(name) ?? []) markRepeats(one, node);
      open.delete(name);
    }
    const group = this.#groupOf(node);
    const alike = group.get(name);
    if (alike) alike.push(own);
    else group.set(name, [own]);
  }

  leave(node: TraceNode, own: ResolvedNode): void {
    const open = this.#groupOf(node).get(toolOf(node));
    if (open?.at(-1) === own) open.pop();
  }

  #groupOf(node: TraceNode): Map<string, ResolvedNode[]> {
    return node.error ? this.#failed : this.#ended;
  }
}

function toolOf(node: TraceNode): string {
  return node.toolName === '' ? node.name : node.toolName;
}
