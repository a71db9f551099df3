import { compareCodePoints } from '../../../platform/text/index.ts';
import { durationMs } from '../tables/duration-ms.ts';
import { hourOf } from '../tables/hour-of.ts';
import type { SpanHeader } from '../tables/spans.ts';
import type { ResolvedNode } from './resolve-trace.ts';

/** A call of a node of the dependency graph (docs/semantics.md, "Dependency graph"): a span, or, of a service, a trace. */
export interface NodeCall {
  /** Start of its hour, epoch seconds. */
  hour: number;
  /** The span's id; for a trace of a service `/` and the service, which is no span's id. */
  callId: string;
  startNs: bigint;
  environment: string;
  /** `<type>:<name>`. */
  node: string;
  /** The node of the nearest ancestor that is one, else the service; `''` without one. It may be the node itself. */
  caller: string;
  /** Of a call of a model; else `''`. */
  provider: string;
  promptName: string;
  agentName: string;
  error: boolean;
  /** Milliseconds; null while it runs. */
  durationMs: number | null;
  /** USD of a call of a model, or of the calls of a service's trace; else 0. */
  cost: number;
}

/** The nodes that a trace contains. */
export interface TraceNodes {
  /** In order of name, at most {@link maxNodesOfATrace}. */
  nodes: readonly string[];
  /** The environment of each: a node with spans of two environments is listed twice. */
  nodeEnvironments: readonly string[];
}

/** A call of a model with the name of its agent. */
interface ModelCall {
  agentName: string;
  span: Pick<SpanHeader, 'costUsd'>;
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
    const node = nodeOf(span, call);
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
      cost: call ? (span.costUsd ?? 0) : 0,
    });
  }
  const cost = services.size === 0 ? 0 : costOf(calls);
  for (const service of services) {
    const call = serviceCall(service, whole, cost);
    nodeCalls.set(call.callId, call);
  }
  return { nodeCalls, nodes: nodesOf(nodeCalls) };
}

/** The node that a span is a call of; `''` for a span that is passed through. */
function nodeOf(span: SpanHeader, call: ModelCall | undefined): string {
  if (call) return `model:${span.model}`;
  if (span.kind === 'agent') return named('agent', span.agentName === '' ? span.name : span.agentName);
  if (span.kind === 'tool') return named('tool', span.toolName === '' ? span.name : span.toolName);
  return span.kind === 'retriever' ? named('retriever', span.name) : '';
}

function named(type: string, name: string): string {
  return name === '' ? '' : `${type}:${name}`;
}

/** Of the calls alone: the cost of the trace has that of spans without a model too. */
function costOf(calls: ReadonlyMap<string, ModelCall>): number {
  let cost = 0;
  for (const { span } of calls.values()) cost += span.costUsd ?? 0;
  return cost;
}

function serviceCall(service: string, whole: Whole, cost: number): NodeCall {
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
    cost,
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
