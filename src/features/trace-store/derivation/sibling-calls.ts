import { namesOf } from './open-calls.ts';
import { hasTokens, isCallKind, markRepeats, type ResolvedNode, type TraceNode } from './trace-node.ts';

/**
 * The spans that only report the tokens of a call beside them: of a kind that is inferred from their model, without an operation and a requested
 * model, and right after a sibling of the same model and tokens (docs/semantics.md, "Repeated calls").
 *
 * @param siblings spans of one parent in order
 * @returns each with the call that it reports
 */
export function usageReports(siblings: readonly TraceNode[]): Map<TraceNode, TraceNode> {
  const reports = new Map<TraceNode, TraceNode>();
  let call: TraceNode | undefined;
  for (const node of siblings) {
    if (!isCallKind(node)) continue;
    const reportsOnly = node.source === 'otlp' && node.operation === '' && node.requestModel === '' && hasTokens(node);
    if (reportsOnly && call && sameTokens(call, node) && sameModel(call, node)) reports.set(node, call);
    else call = node;
  }
  return reports;
}

function sameTokens(left: TraceNode, right: TraceNode): boolean {
  return (left.inputTokens ?? 0) === (right.inputTokens ?? 0) && (left.outputTokens ?? 0) === (right.outputTokens ?? 0);
}

function sameModel(left: TraceNode, right: TraceNode): boolean {
  const { models } = namesOf(right);
  return namesOf(left).models.some((name) => models.includes(name));
}

/**
 * Marks spans that only hold the request of a call beside them: they ended well, without output, tokens and response id, and a sibling of the same
 * model has an output (docs/semantics.md, "Repeated calls").
 *
 * @param siblings spans of one parent in order
 */
export function markRequests<T extends TraceNode>(siblings: readonly T[], resolved: ReadonlyMap<T, ResolvedNode>): void {
  if (siblings.length < 2) return;
  const after = new Map<string, T>();
  const waiting = new Map<string, ResolvedNode[]>();
  for (const node of siblings.toReversed()) {
    const own = resolved.get(node);
    if (own?.kind !== 'llm' || node.error) continue;
    for (const name of namesOf(node).models) {
      if (node.outputPreview !== '') {
        for (const request of waiting.get(name) ?? []) markRepeats(request, node);
        waiting.delete(name);
        after.set(name, node);
      } else if (node.endNs !== null && node.responseId === '' && !hasTokens(node)) {
        const call = after.get(name);
        if (call) markRepeats(own, call);
        else push(waiting, name, own);
      }
    }
  }
}

/**
 * Marks all but one of the calls of a kind that name the same response. The one with tokens stays, else the one with contents, else the innermost.
 */
export function markSameResponses<T extends TraceNode>(resolved: ReadonlyMap<T, ResolvedNode>): void {
  const best = new Map<string, T>();
  for (const [node, own] of resolved) {
    if (own.repeats || node.responseId === '' || !isCallKind(own)) continue;
    const key = `${own.kind}\n${node.responseId}`;
    const other = best.get(key);
    const ofOther = other && resolved.get(other);
    if (!other || !ofOther) {
      best.set(key, node);
    } else if (rank(node) > rank(other) || (rank(node) === rank(other) && own.depth > ofOther.depth)) {
      markRepeats(ofOther, node);
      best.set(key, node);
    } else {
      markRepeats(own, other);
    }
  }
}

/** How much a span tells of a call. */
function rank(node: TraceNode): number {
  return (hasTokens(node) ? 4 : 0) + Number(node.inputPreview !== '') + Number(node.outputPreview !== '');
}

function push<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
