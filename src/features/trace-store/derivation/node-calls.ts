import { compareCodePoints } from '../../../platform/text/index.ts';
import { durationMs } from '../tables/duration-ms.ts';
import { hourOf } from '../tables/hour-of.ts';
import type { NodeCall } from '../tables/node-calls.ts';
import type { SpanHeader } from '../tables/spans.ts';
import type { TraceNodes } from '../tables/traces.ts';
import type { ResolvedNode } from './trace-node.ts';

/** A call of a model with the name of its agent. */
interface ModelCall {
  agentName: string;
  span: Pick<SpanHeader, 'costUsd' | 'costStatus'>;
}

/** Fields of a trace's summary that the rows of services need. */
interface Whole {
  startNs: bigint;
  endNs: bigint | null;
  environment: string;
  errorCount: number;
}

/** Maximum nodes of a trace in a blast radius. */
const maxNodesOfATrace = 2_000;

/**
 * The calls of the nodes of one trace. Pure: the order of the spans does not show.
 *
 * @param resolved its spans, parents before children
 * @param calls its calls of models, by span id
 */
export function nodeCallsOf(
  resolved: ReadonlyMap<SpanHeader, ResolvedNode>,
  calls: ReadonlyMap<string, ModelCall>,
  whole: Whole,
): { nodeCalls: Map<string, NodeCall>; nodes: TraceNodes } {
  const nodeCalls = new Map<string, NodeCall>();
  /** The nearest node at or above a span. */
  const nearest = new Map<ResolvedNode, string>();
  const services = new Set<string>();
  for (const [span, rules] of resolved) {
    const above = (rules.parent && nearest.get(rules.parent)) ?? '';
    const call = calls.get(span.spanId);
    const node = nodeOf(span, rules, call);
    nearest.set(rules, node === '' ? above : node);
    if (node === '') continue;
    if (above === '' && span.service !== '') services.add(span.service);
    nodeCalls.set(span.spanId, {
      hour: hourOf(span.startNs),
      callId: span.spanId,
      startNs: span.startNs,
      environment: span.environment === '' ? whole.environment : span.environment,
      node,
      caller: above === '' && span.service !== '' ? `service:${span.service}` : above,
      provider: call ? span.provider : '',
      promptName: call ? span.promptName : '',
      agentName: call ? call.agentName : '',
      error: span.error,
      durationMs: durationMs(span.startNs, span.endNs),
      ...costOf(call ? [call] : []),
    });
  }
  const cost = costOf(services.size === 0 ? [] : calls.values());
  for (const service of services) {
    const call = serviceCall(service, whole, cost);
    nodeCalls.set(call.callId, call);
  }
  return { nodeCalls, nodes: nodesOf(nodeCalls) };
}

/** The node that a span is a call of; `''` for a span that is passed through. */
function nodeOf(span: SpanHeader, own: ResolvedNode, call: ModelCall | undefined): string {
  if (call) return `model:${span.model}`;
  if (own.kind === 'agent') return named('agent', own.agentName);
  if (own.kind === 'tool') return own.repeats ? '' : named('tool', span.toolName === '' ? span.name : span.toolName);
  return span.kind === 'retriever' ? named('retriever', span.name) : '';
}

function named(type: string, name: string): string {
  return name === '' ? '' : `${type}:${name}`;
}

/** Of the calls alone: the cost of the trace has that of spans without a model too. */
function costOf(calls: Iterable<ModelCall>): Pick<NodeCall, 'cost' | 'unpriced' | 'partlyPriced'> {
  const sum = { cost: 0, unpriced: 0, partlyPriced: 0 };
  for (const { span } of calls) {
    sum.cost += span.costUsd ?? 0;
    if (span.costStatus === 'unpriced') sum.unpriced++;
    else if (span.costStatus === 'partly_priced') sum.partlyPriced++;
  }
  return sum;
}

function serviceCall(service: string, whole: Whole, cost: ReturnType<typeof costOf>): NodeCall {
  return {
    hour: hourOf(whole.startNs),
    callId: `/${service}`,
    startNs: whole.startNs,
    environment: whole.environment,
    node: `service:${service}`,
    caller: '',
    provider: '',
    promptName: '',
    agentName: '',
    error: whole.errorCount > 0,
    durationMs: durationMs(whole.startNs, whole.endNs),
    ...cost,
  };
}

function nodesOf(nodeCalls: ReadonlyMap<string, NodeCall>): TraceNodes {
  /** Environments of each node. */
  const found = new Map<string, Set<string>>();
  const add = (node: string, environment: string) => {
    const environments = found.get(node);
    if (environments) environments.add(environment);
    else found.set(node, new Set([environment]));
  };
  for (const { node, provider, promptName, environment } of nodeCalls.values()) {
    add(node, environment);
    if (provider !== '') add(`provider:${provider}`, environment);
    if (promptName !== '') add(`prompt:${promptName}`, environment);
  }
  const nodes: string[] = [];
  const nodeEnvironments: string[] = [];
  // The order of the rows must not show.
  for (const [node, environments] of [...found].toSorted(([left], [right]) => compareCodePoints(left, right))) {
    for (const environment of [...environments].toSorted(compareCodePoints)) {
      if (nodes.length >= maxNodesOfATrace) return { nodes, nodeEnvironments };
      nodes.push(node);
      nodeEnvironments.push(environment);
    }
  }
  return { nodes, nodeEnvironments };
}
