import { hourMs } from '../../../contract/durations.ts';
import { exact } from '../../../platform/statistics/index.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import { isSetup, operationIn, originIn, originOf } from '../../records/index.ts';
import type { SpanOrigin } from '../../records/index.ts';
import type { Call } from '../tables/calls.ts';
import { hourOf } from '../tables/hour-of.ts';
import type { NodeCall } from '../tables/node-calls.ts';
import type { Quality } from '../tables/quality.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import type { SpanAgent } from '../tables/span-agents.ts';
import type { SpanHeader } from '../tables/spans.ts';
import type { TraceSummary } from '../tables/traces.ts';
import type { TraceNodes } from '../tables/traces.ts';
import { noTagChanges } from '../tables/trace-tags.ts';
import type { TagChanges } from '../tables/trace-tags.ts';
import { contentsOfCalls } from './contents-of-calls.ts';
import { nodeCallsOf } from './node-calls.ts';
import { resolveTrace } from './resolve-trace.ts';
import { byStart, isCallKind } from './trace-node.ts';
import type { ResolvedNode } from './trace-node.ts';

/** Everything that is derived from one trace. */
export interface TraceView {
  /** By span id; with those that name no model. */
  calls: Map<string, Call>;
  /** By span id. */
  agents: Map<string, SpanAgent>;
  /** By call id. */
  nodeCalls: Map<string, NodeCall>;
  /** By score id. */
  quality: Map<string, Quality>;
  /** null when the trace has neither a span nor its own record. */
  summary: TraceSummary | null;
}

/** Tags of a trace. */
export const maxTags = 200;

/** Tags of spans, as people have changed them: added ones are always among them. */
function withChanges(tags: readonly string[], { added, removed }: TagChanges): readonly string[] {
  if (added.length === 0 && removed.length === 0) return tags;
  const fresh = added.filter((tag) => !tags.includes(tag));
  return [...tags.filter((tag) => !removed.includes(tag)).slice(0, Math.max(0, maxTags - fresh.length)), ...fresh];
}

const noGraph: ReturnType<typeof nodeCallsOf> = { nodeCalls: new Map(), nodes: { nodes: [], nodeEnvironments: [] } };

/**
 * Derives the view of a trace from all of its spans (and its own record, `spanId` `''`) and scores, each in its latest version. Pure: the
 * same rows give the same view, so that a repeated batch derives the same rows.
 *
 * @param tags what people changed in its tags
 */
export function viewTrace(
  spans: readonly SpanHeader[],
  scores: readonly ScoreHeader[],
  tags: TagChanges = noTagChanges,
): TraceView {
  const nodes = spans.filter((span) => span.spanId !== '').toSorted(byStart);
  const ofTrace = originOfTrace(nodes);
  const counts = (span: SpanHeader) => originIn(span, ofTrace) === 'application';
  const counted = ofTrace === 'application' ? nodes : nodes.filter(counts);
  const record = spans.find((span) => span.spanId === '');
  const resolved = resolveTrace(nodes);
  const calls = new Map<string, Call>();
  for (const span of nodes) {
    const rules = resolved.get(span);
    if (!rules || rules.repeats || !isCallKind(rules)) continue;
    calls.set(span.spanId, {
      hour: hourOf(span.startNs),
      span,
      agentName: rules.agentName,
      operation: operationIn(span, rules.kind),
    });
  }
  const summary = spans.length === 0 ? null : { ...summarise(nodes, record, resolved, namedIn(calls)), origin: ofTrace };
  const counting = ofTrace === 'application' ? calls : new Map([...calls].filter(([, { span }]) => counts(span)));
  const ofModels = namedIn(counting);
  // What the target of a simulation sends into the trace of an item counts.
  const isInFigures = ofTrace === 'application' || ofTrace === 'simulation';
  const graph = summary && isInFigures ? nodeCallsOf(resolved, ofModels, summary) : noGraph;
  return {
    calls: counting,
    agents: inheritedAgents(resolved, counting),
    nodeCalls: graph.nodeCalls,
    quality: isInFigures ? qualityOf(counted, scores, ofModels, summary?.environment ?? '') : new Map(),
    summary: summary && { ...summary, ...graph.nodes, tags: withChanges(summary.tags, tags) },
  };
}

/** What a trace was made for: what the first of its spans that was not sent for an application's own work says, those without a parent first. */
function originOfTrace(nodes: readonly SpanHeader[]): SpanOrigin {
  const first = (span: SpanHeader) => originOf(span) !== 'application';
  const found = nodes.find((span) => span.parentSpanId === '' && first(span)) ?? nodes.find(first);
  return found ? originOf(found) : 'application';
}

/** The agents of the spans that have none of their own. A call has its agent in `calls`, where it names a model or not. */
function inheritedAgents(
  resolved: ReadonlyMap<SpanHeader, ResolvedNode>,
  calls: ReadonlyMap<string, Call>,
): Map<string, SpanAgent> {
  const agents = new Map<string, SpanAgent>();
  for (const [{ spanId, startNs, agentName, kind }, rules] of resolved) {
    // An agent's span is called after itself, which its row tells.
    if (rules.agentName === '' || agentName !== '' || kind === 'agent' || calls.has(spanId)) continue;
    agents.set(spanId, { spanId, startNs, agentName: rules.agentName });
  }
  return agents;
}

/** The calls that name a model. */
function namedIn(calls: ReadonlyMap<string, Call>): ReadonlyMap<string, Call> {
  if (calls.values().every(({ span }) => span.model !== '')) return calls;
  return new Map([...calls].filter(([, { span }]) => span.model !== ''));
}

/** The model of a score: its own, else that of the scored span, else, for a trace's score, the trace's only model (docs/semantics.md, "Model of a score"). */
function qualityOf(
  nodes: readonly SpanHeader[],
  scores: readonly ScoreHeader[],
  calls: ReadonlyMap<string, Call>,
  environment: string,
): Map<string, Quality> {
  const quality = new Map<string, Quality>();
  if (scores.length === 0) return quality;
  const models = new Set([...calls.values()].map((call) => call.span.model));
  const onlyModel = models.size === 1 ? ([...models][0] ?? '') : '';
  const scored = new Map(nodes.map((span) => [span.spanId, span]));
  for (const score of scores) {
    // A label alone counts in no mean.
    if (Number.isNaN(score.score)) continue;
    const derived = score.spanId === '' ? onlyModel : (scored.get(score.spanId)?.model ?? '');
    quality.set(score.scoreId, {
      hour: Math.floor(score.timestampMs / hourMs) * 3600,
      score,
      model: score.model === '' ? derived : score.model,
      environment: scored.get(score.spanId)?.environment || environment,
    });
  }
  return quality;
}

/** @param ordered the spans of the trace by start */
function summarise(
  ordered: readonly SpanHeader[],
  record: SpanHeader | undefined,
  resolved: ReadonlyMap<SpanHeader, ResolvedNode>,
  calls: ReadonlyMap<string, Call>,
): Omit<TraceSummary, keyof TraceNodes | 'origin'> {
  const present = new Set(ordered.map((span) => span.spanId));
  const root = ordered.find((span) => span.parentSpanId === '' || !present.has(span.parentSpanId)) ?? ordered[0];
  const startNs = ordered[0]?.startNs ?? record?.startNs ?? 0n;
  const newestSpanNs = ordered.at(-1)?.startNs ?? startNs;
  const lastFailed = ordered.findLast((span) => span.error);
  const first = (read: (span: SpanHeader) => string): string => {
    for (const span of [record, root, ...ordered]) if (span && read(span) !== '') return read(span);
    return '';
  };
  const counted = ordered.filter((span) => isCounted(resolved.get(span)));
  const ofLastFailed = lastFailed && resolved.get(lastFailed);
  const sum = (read: (span: SpanHeader) => number | null) => counted.reduce((total, span) => total + (read(span) ?? 0), 0);
  // Larger numbers are not exact, and the column's range ends at 2^64.
  const sumOfTokens = (read: (span: SpanHeader) => number | null) => Math.min(sum(read), Number.MAX_SAFE_INTEGER);
  return {
    startNs,
    oldestNs: record && record.startNs < startNs ? record.startNs : startNs,
    newestNs: record && record.startNs > newestSpanNs ? record.startNs : newestSpanNs,
    endNs: latestEnd(ordered),
    name: record?.name || nameOf(ordered, root),
    sessionId: first((span) => resolved.get(span)?.sessionId ?? span.sessionId),
    userId: first((span) => span.userId),
    environment: first((span) => span.environment),
    release: first((span) => span.release),
    tags: [...new Set([...(record?.tags ?? []), ...ordered.flatMap((span) => span.tags)])].slice(0, maxTags),
    errorCount: ordered.filter((span) => span.error).length,
    errorCode: ofLastFailed?.errorCode ?? '',
    errorMessage: ofLastFailed?.errorMessage ?? '',
    spanCount: ordered.length,
    callCount: calls.size,
    unpricedCalls: [...calls.values()].filter((call) => call.span.costStatus === 'unpriced').length,
    partlyPricedCalls: [...calls.values()].filter((call) => call.span.costStatus === 'partly_priced').length,
    models: sortedNames([...calls.values()].map((call) => call.span.model)),
    agents: sortedNames(ordered.map((span) => resolved.get(span)?.agentName ?? '')),
    cost: exact(sum((span) => span.costUsd)),
    inputTokens: sumOfTokens((span) => span.inputTokens),
    outputTokens: sumOfTokens((span) => span.outputTokens),
    cachedTokens: sumOfTokens((span) => span.cachedTokens),
    reasoningTokens: sumOfTokens((span) => span.reasoningTokens),
    ...previewsOf(record, root, resolved),
    depth: resolved.values().reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0),
    isSetup: ordered.length > 0 && ordered.every((span) => isSetup(span) && !span.error),
  };
}

/** Whether the tokens and the cost of a span count (docs/semantics.md, "Calls"). */
function isCounted(own: ResolvedNode | undefined): boolean {
  return own !== undefined && isCallKind(own) && !own.repeats;
}

/** The name of a trace without a record of its own: docs/semantics.md, "Trace summary". */
function nameOf(ordered: readonly SpanHeader[], root: SpanHeader | undefined): string {
  const trueRoot = ordered.find((span) => span.parentSpanId === '') ?? root;
  const given = trueRoot?.traceName || ordered.find((span) => span.traceName !== '')?.traceName;
  return given || (trueRoot?.name ?? '');
}

/** The distinct non-empty names, sorted: docs/semantics.md, "Units and names". */
function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').toSorted(compareCodePoints);
}

/** Those of the record, else of the root, else of the calls (docs/semantics.md, "Trace summary"). */
function previewsOf(
  record: SpanHeader | undefined,
  root: SpanHeader | undefined,
  resolved: ReadonlyMap<SpanHeader, ResolvedNode>,
): Pick<TraceSummary, 'inputPreview' | 'outputPreview'> {
  const inputPreview = record?.inputPreview || root?.inputPreview || '';
  const outputPreview = record?.outputPreview || root?.outputPreview || '';
  if (inputPreview !== '' && outputPreview !== '') return { inputPreview, outputPreview };
  const { input, output } = contentsOfCalls(resolved);
  return {
    inputPreview: inputPreview || (input?.from.inputPreview ?? ''),
    outputPreview: outputPreview || (output?.from.outputPreview ?? ''),
  };
}

function latestEnd(nodes: readonly SpanHeader[]): bigint | null {
  let latest: bigint | null = null;
  for (const { endNs } of nodes) if (endNs !== null && (latest === null || endNs > latest)) latest = endNs;
  return latest;
}
