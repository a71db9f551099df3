import type { ResolvedNode, TraceNode } from './trace-node.ts';

/** What frameworks put around an agent's name in the name of its span: `invoke_agent weather`, `weather_agent.run`. */
const around = String.raw`^(?:invoke_agent|create_agent|agent run:?)\s+|\.(?:arun|run|run_stream|arun_stream|ainvoke|invoke|astream|stream|kickoff|__call__)$`;
const aroundName = new RegExp(around, 'g');

/** The name of an agent that has none but that of its span: docs/semantics.md, "Agent names". */
export function agentNameOf(spanName: string): string {
  return spanName.replaceAll(aroundName, '') || spanName;
}

/** The same as an expression of ClickHouse. */
export function agentNameSql(spanName: string): string {
  const stripped = `replaceRegexpAll(${spanName}, '${around.replaceAll('\\', '\\\\')}', '')`;
  return `if(${stripped} = '', ${spanName}, ${stripped})`;
}

/** The spans with an agent below that was sent with a name. Each span is visited once. */
export function aboveNamedAgents<T extends TraceNode>(nodes: readonly T[], byId: ReadonlyMap<string, T>): ReadonlySet<T> {
  const above = new Set<T>();
  for (const node of nodes) {
    if (node.kind !== 'agent' || node.agentName === '') continue;
    let next = byId.get(node.parentSpanId);
    while (next && !above.has(next)) {
      above.add(next);
      next = byId.get(next.parentSpanId);
    }
  }
  return above;
}

/**
 * Gives an agent's span that failed and does not tell why the error of the failed span below it that started last (docs/semantics.md, "Span status
 * and error codes").
 *
 * @param resolved parents before children
 */
export function takeErrors<T extends TraceNode>(resolved: ReadonlyMap<T, ResolvedNode>): void {
  /** The failed span below each span that started last. */
  const below = new Map<ResolvedNode, T>();
  for (const [node, own] of [...resolved].toReversed()) {
    const cause = below.get(own);
    if (cause && node.error && node.kind === 'agent' && node.errorCode === 'unknown') {
      own.errorCode = resolved.get(cause)?.errorCode ?? cause.errorCode;
      if (/^(?:run status: error)?$/i.test(node.errorMessage.trim())) own.errorMessage = cause.errorMessage;
    }
    const latest = node.error && node.errorCode !== 'unknown' && (!cause || node.startNs > cause.startNs) ? node : cause;
    const other = own.parent && below.get(own.parent);
    if (own.parent && latest && (!other || latest.startNs > other.startNs)) below.set(own.parent, latest);
  }
}
