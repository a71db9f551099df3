import type { ResolvedNode, TraceNode } from './trace-node.ts';

/**
 * Finds the span whose contents a call shows for its own: one that repeats it, and has the input or output that the call lacks. Of several the one that
 * has more, else the innermost. A span around several calls has the contents of none.
 *
 * @param resolved parents before children
 */
export function takeContents<T extends TraceNode>(resolved: ReadonlyMap<T, ResolvedNode>, byId: ReadonlyMap<string, T>): void {
  const repetitions = [...resolved].filter(
    ([node, own]) => own.repeats && (node.inputPreview !== '' || node.outputPreview !== ''),
  );
  if (repetitions.length === 0) return;
  const calls = callsWithin(resolved);
  const given = new Map<ResolvedNode, number>();
  for (const [node, own] of repetitions) {
    if ((calls.get(own) ?? 0) > 1) continue;
    const call = callOf(node, own, resolved, byId);
    const ofCall = call && resolved.get(call);
    if (!call || !ofCall) continue;
    const gives =
      Number(call.inputPreview === '' && node.inputPreview !== '') +
      Number(call.outputPreview === '' && node.outputPreview !== '');
    if (gives === 0 || gives < (given.get(ofCall) ?? 0)) continue;
    given.set(ofCall, gives);
    ofCall.contentFrom = node.spanId;
  }
}

/** The call that a span repeats: repetitions of repetitions are followed, each once for all. */
function callOf<T extends TraceNode>(
  node: T,
  own: ResolvedNode,
  resolved: ReadonlyMap<T, ResolvedNode>,
  byId: ReadonlyMap<string, T>,
): T | undefined {
  const path: ResolvedNode[] = [];
  let at: T | undefined = node;
  let rules: ResolvedNode | undefined = own;
  while (at && rules?.repeats && rules.repeated && path.length <= resolved.size) {
    path.push(rules);
    at = byId.get(rules.repeated.spanId);
    rules = at && resolved.get(at);
  }
  if (at) for (const one of path) one.repeated = at;
  return at;
}

/** The calls within each span. */
function callsWithin<T extends TraceNode>(resolved: ReadonlyMap<T, ResolvedNode>): Map<ResolvedNode, number> {
  const counts = new Map<ResolvedNode, number>();
  for (const own of [...resolved.values()].toReversed()) {
    const isCall = !own.repeats && (own.kind === 'llm' || own.kind === 'embedding' || own.kind === 'tool');
    const within = (counts.get(own) ?? 0) + Number(isCall);
    if (own.parent && within > 0) counts.set(own.parent, (counts.get(own.parent) ?? 0) + within);
  }
  return counts;
}
