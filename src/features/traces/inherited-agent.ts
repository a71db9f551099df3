import type { InheritedAgent } from '../otlp/index.ts';
import type { ResolvedNode, TraceNode } from '../trace-store/index.ts';

/**
 * The agent name of a span that was sent without one, with the span that it is taken from: its nearest ancestor of kind `agent`, or itself. null for a
 * span with a name of its own, and without one.
 *
 * @param nodes the spans of the trace, by id
 * @param resolved the results for them
 */
export function inheritedBy(
  own: TraceNode,
  nodes: ReadonlyMap<string, TraceNode>,
  resolved: ReadonlyMap<TraceNode, ResolvedNode>,
): InheritedAgent | null {
  const agentName = resolved.get(own)?.agentName ?? '';
  if (own.agentName !== '' || agentName === '') return null;
  if (resolved.get(own)?.kind === 'agent') return { agentName, spanId: null };
  const seen = new Set([own.spanId]);
  for (let node = nodes.get(own.parentSpanId); node && !seen.has(node.spanId); node = nodes.get(node.parentSpanId)) {
    if (node.kind === 'agent' && resolved.get(node)?.agentName === agentName) return { agentName, spanId: node.spanId };
    seen.add(node.spanId);
  }
  return null;
}
