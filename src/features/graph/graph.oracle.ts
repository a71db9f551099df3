import type { BlastRadius, Graph, GraphEdge, GraphNode, GraphQuery } from '../../contract/graph.ts';
import type { Plan } from '../../contract/plans.ts';
import { agentOf, ancestors, countsTokens, inWindow, isAgent, isCall, milliseconds } from '../models/models.oracle.ts';
import { codePoints, groups, sum } from '../models/sums.oracle.ts';
import type { SpanRecord } from '../records/index.ts';

// An oracle for docs/semantics.md, "Dependency graph" and "Blast radius": computes every figure directly from the raw events, by walking from each
// span to its ancestors.

/** What a node or edge is called by: a span, or a trace of a service. */
interface Behind {
  durationMs: number | null;
  error: boolean;
}

interface TraceFacts {
  traceId: string;
  spans: readonly SpanRecord[];
  calls: readonly SpanRecord[];
  environment: string;
  startMs: number;
  oldestMs: number;
  durationMs: number | null;
  error: boolean;
  /** Of the whole trace, with spans that name no model. */
  cost: number;
  sessionId: string;
  userId: string;
}

interface Question {
  nowMs: number;
  plan: Plan;
  query: GraphQuery;
}

/** The graph of a project over a range, from its spans in order of arrival. */
export class GraphOracle {
  readonly #traces: readonly TraceFacts[];
  readonly #inWindow: (ms: number) => boolean;
  readonly #retained: (ms: number) => boolean;
  readonly #environments: readonly string[] | undefined;

  constructor(sent: readonly SpanRecord[], { nowMs, plan, query }: Question) {
    const { environment, ...range } = query;
    const latest = [...new Map(sent.map((span) => [`${span.traceId} ${span.spanId}`, span])).values()];
    this.#traces = groups(latest, ({ traceId }) => traceId).map(([traceId, rows]) => factsOf(traceId, rows));
    this.#environments = environment;
    this.#inWindow = (ms) => inWindow(ms, { nowMs, plan, query: range });
    this.#retained = (ms) =>
      inWindow(ms, { nowMs, plan, query: { from: '1970-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' } });
  }

  graph(): Graph {
    const nodes = this.#nodes();
    const ids = new Set(nodes.map(({ id }) => id));
    const edges = groups(this.#edges(), ({ edge }) => edge)
      .map(([edge, behind]): GraphEdge => {
        const [source = '', target = ''] = edge.split('\n');
        return { source, target, calls: behind.length, errors: failures(behind), p95Latency: p95(behind) };
      })
      .filter(({ source, target }) => ids.has(source) && ids.has(target));
    return {
      nodes: nodes.slice(0, 500),
      edges: edges.toSorted((left, right) => codePoints(left.source, right.source) || codePoints(left.target, right.target)),
      truncated: nodes.length > 500,
    };
  }

  /** null for an unknown node; without changes. */
  blastRadius(id: string): Omit<BlastRadius, 'changes'> | null {
    const nodes = this.#nodes();
    const node = nodes.find((one) => one.id === id);
    if (!node) return null;
    const { edges } = this.graph();
    const containing = this.#tracesWith(id);
    const affected = nodes
      .filter((one) => one.id !== id)
      .map(({ id: other, type, name, calls }) => {
        const theirs = this.#tracesWith(other);
        const both = theirs.filter((trace) => containing.includes(trace)).length;
        const share = theirs.length === 0 ? 0 : both / theirs.length;
        return { id: other, type, name, distance: distance(other, id, edges), calls, share };
      })
      .filter((one) => Number.isFinite(one.distance))
      .toSorted((left, right) => left.distance - right.distance || right.calls - left.calls || codePoints(left.id, right.id));
    const distinct = (of: (trace: TraceFacts) => string) => new Set(containing.map(of).filter((value) => value !== '')).size;
    return {
      node,
      affected,
      totals: {
        agents: affected.filter(({ type, share }) => type === 'agent' && share > 0).length,
        traces: containing.length,
        sessions: distinct(({ sessionId }) => sessionId),
        users: distinct(({ userId }) => userId),
        cost: sum(containing, ({ cost }) => cost),
        ...missing(containing.flatMap(({ calls }) => calls)),
        outcomes: 0,
      },
    };
  }

  #nodes(): GraphNode[] {
    const behind = new Map<string, Behind[]>();
    const add = (id: string, one: Behind) => behind.set(id, [...(behind.get(id) ?? []), one]);
    for (const trace of this.#traces) {
      for (const span of this.#counted(trace)) for (const id of nodesOf(span, trace)) add(id, behindOf(span));
      if (this.#countsTrace(trace)) for (const id of servicesOf(trace)) add(id, trace);
    }
    return [...behind]
      .map(([id, of]): GraphNode => {
        const [type, name] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
        const errors = failures(of);
        const behind = this.#callsBehind(id);
        const cost = sum(behind, ({ costUsd }) => costUsd);
        const figures = {
          calls: of.length,
          errors,
          errorRate: errors / of.length,
          cost,
          ...missing(behind),
          p95Latency: p95(of),
        };
        return { id, type: type as GraphNode['type'], name, ...figures };
      })
      .toSorted((left, right) => right.calls - left.calls || codePoints(left.id, right.id));
  }

  /** The calls of models whose cost a node has. */
  #callsBehind(id: string): SpanRecord[] {
    if (id.startsWith('service:'))
      return this.#traces
        .filter((trace) => this.#countsTrace(trace) && servicesOf(trace).includes(id))
        .flatMap(({ calls }) => calls);
    const calls = this.#traces.flatMap((trace) =>
      this.#counted(trace)
        .filter((span) => trace.calls.includes(span))
        .filter((span) => nodesOf(span, trace).includes(id) || `agent:${agentOf(span, trace.spans)}` === id),
    );
    return calls;
  }

  #edges(): Array<Behind & { edge: string }> {
    const edges: Array<Behind & { edge: string }> = [];
    for (const trace of this.#traces) {
      for (const span of this.#counted(trace)) {
        const node = nodeOf(span, trace);
        const caller = callerOf(span, trace);
        const add = (source: string, target: string) => edges.push({ ...behindOf(span), edge: `${source}\n${target}` });
        if (node === '') continue;
        if (caller !== '' && caller !== node) add(caller, node);
        if (!trace.calls.includes(span)) continue;
        if (span.provider !== '') add(node, `provider:${span.provider}`);
        if (span.promptName !== '' && caller !== '') add(caller, `prompt:${span.promptName}`);
      }
    }
    return edges;
  }

  /** The spans of a trace that the window and the environment select. */
  #counted({ spans, environment }: TraceFacts): SpanRecord[] {
    return spans.filter((span) => this.#inWindow(milliseconds(span.startNs)) && this.#isWanted(span.environment || environment));
  }

  #isWanted(environment: string): boolean {
    return this.#environments?.includes(environment) ?? true;
  }

  #countsTrace({ startMs, environment }: TraceFacts): boolean {
    return this.#inWindow(startMs) && this.#isWanted(environment);
  }

  #tracesWith(id: string): TraceFacts[] {
    return this.#traces.filter((trace) => {
      if (!this.#inWindow(trace.startMs) || !this.#retained(trace.oldestMs)) return false;
      const ofEnvironment = trace.spans.filter((span) => this.#isWanted(span.environment || trace.environment));
      const ofTrace = this.#isWanted(trace.environment);
      return ofEnvironment.some((span) => nodesOf(span, trace).includes(id)) || (ofTrace && servicesOf(trace).includes(id));
    });
  }
}

/** The node of a span; `''` for a span that is passed through. */
function nodeOf(span: SpanRecord, { calls, spans }: TraceFacts): string {
  if (calls.includes(span)) return `model:${span.model}`;
  if (span.kind === 'agent') return isAgent(span, spans) ? named('agent', agentOf(span, spans)) : '';
  if (span.kind === 'tool') return isOuterTool(span, spans) ? '' : named('tool', toolOf(span));
  return span.kind === 'retriever' ? named('retriever', span.name) : '';
}

const named = (type: string, name: string) => (name === '' ? '' : `${type}:${name}`);
const toolOf = (span: SpanRecord) => span.toolName || span.name;

/** Whether a tool has a tool of its name inside, which is the call; not if it failed and that one did not. */
function isOuterTool(span: SpanRecord, spans: readonly SpanRecord[]): boolean {
  return spans.some(
    (other) =>
      other.kind === 'tool' &&
      toolOf(other) === toolOf(span) &&
      (span.status !== 'error' || other.status === 'error') &&
      ancestors(other, spans).includes(span),
  );
}

/** The nodes that a span is behind. */
function nodesOf(span: SpanRecord, trace: TraceFacts): string[] {
  const node = nodeOf(span, trace);
  if (node === '') return [];
  const isModel = trace.calls.includes(span);
  return [
    node,
    ...(isModel && span.provider !== '' ? [`provider:${span.provider}`] : []),
    ...(isModel && span.promptName !== '' ? [`prompt:${span.promptName}`] : []),
  ];
}

function nearestNode(span: SpanRecord, trace: TraceFacts): string {
  const parent = trace.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? nodeOf(parent, trace) || nearestNode(parent, trace) : '';
}

function callerOf(span: SpanRecord, trace: TraceFacts): string {
  return nearestNode(span, trace) || (span.service === '' ? '' : `service:${span.service}`);
}

function servicesOf(trace: TraceFacts): string[] {
  const callers = trace.spans.filter((span) => nodeOf(span, trace) !== '').map((span) => callerOf(span, trace));
  return [...new Set(callers.filter((caller) => caller.startsWith('service:')))];
}

/** docs/semantics.md, "Trace summary". */
function factsOf(traceId: string, rows: readonly SpanRecord[]): TraceFacts {
  const record = rows.find(({ spanId }) => spanId === '');
  const sent = rows
    .filter(({ spanId }) => spanId !== '')
    .toSorted((left, right) => Number(left.startNs - right.startNs) || codePoints(left.spanId, right.spanId));
  const root = sent.find((span) => span.parentSpanId === '' || !sent.some(({ spanId }) => spanId === span.parentSpanId));
  const spans = sent.map((span) => (isCut(span, sent) ? { ...span, parentSpanId: '' } : span));
  const first = (of: (span: SpanRecord) => string) =>
    [record, root, ...spans].flatMap((span) => (span && of(span) !== '' ? [of(span)] : []))[0] ?? '';
  const startNs = spans[0]?.startNs ?? record?.startNs ?? 0n;
  const ends = spans.flatMap(({ endNs }) => (endNs === null ? [] : [endNs]));
  const endNs = ends.length === 0 ? null : ends.reduce((latest, end) => (end > latest ? end : latest));
  const calls = spans.filter((span) => isCall(span, spans));
  return {
    traceId,
    spans,
    calls,
    environment: first(({ environment }) => environment),
    startMs: milliseconds(startNs),
    oldestMs: Math.min(milliseconds(startNs), record ? milliseconds(record.startNs) : Infinity),
    durationMs: endNs === null ? null : Math.max(0, Number(endNs - startNs) / 1e6),
    error: spans.some(({ status }) => status === 'error'),
    cost: sum(
      spans.filter((span) => countsTokens(span, spans)),
      ({ costUsd }) => costUsd,
    ),
    sessionId: first(({ sessionId }) => sessionId),
    userId: first(({ userId }) => userId),
  };
}

/** docs/semantics.md, "Agent names": whether a cycle of parents is cut at the span. */
function isCut(span: SpanRecord, spans: readonly SpanRecord[]): boolean {
  let above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  // A way up that does not come back after so many steps is in a cycle that the span is below.
  for (let steps = 0; above && steps < spans.length; steps++) {
    if (above.spanId === span.spanId) return true;
    if (codePoints(above.spanId, span.spanId) < 0) return false;
    const { parentSpanId } = above;
    above = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return false;
}

function behindOf(span: SpanRecord): Behind {
  return {
    durationMs: span.endNs === null ? null : Math.max(0, Number(span.endNs - span.startNs) / 1e6),
    error: span.status === 'error',
  };
}

/** The calls that are missing in a cost. */
function missing(calls: readonly SpanRecord[]) {
  const of = (status: SpanRecord['costStatus']) => calls.filter(({ costStatus }) => costStatus === status).length;
  return { unpricedCalls: of('unpriced'), partlyPricedCalls: of('partly_priced') };
}

const failures = (behind: readonly Behind[]) => behind.filter(({ error }) => error).length;

/** docs/semantics.md, "Percentiles", without the rounding of durations. */
function p95(behind: readonly Behind[]): number {
  const durations = behind
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((left, right) => left - right);
  return durations[Math.floor(0.95 * (durations.length - 1))] ?? 0;
}

/** The fewest edges from one node to another; Infinity when there is no way. */
function distance(from: string, to: string, edges: readonly GraphEdge[]): number {
  let reached = new Set([from]);
  for (let steps = 0; ; steps++) {
    if (reached.has(to)) return steps;
    const next = new Set([...reached, ...edges.filter(({ source }) => reached.has(source)).map(({ target }) => target)]);
    if (next.size === reached.size) return Infinity;
    reached = next;
  }
}
