import { exact } from '../../../platform/statistics/index.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import { isSimulated } from '../simulated-spans.ts';
import { hourOf } from '../tables/hour-of.ts';
import { nodeCallsOf } from './node-calls.ts';
import type { NodeCall, TraceNodes } from './node-calls.ts';
import { resolveTrace } from './resolve-trace.ts';
import type { ResolvedNode } from './resolve-trace.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import type { SpanHeader } from '../tables/spans.ts';

/** A call (docs/semantics.md, "Calls"): a span of kind llm or embedding that names a model and does not repeat another call. */
export interface Call {
  /** Start of its hour, epoch seconds. */
  hour: number;
  span: SpanHeader;
  agentName: string;
  operation: string;
}

/** A score with the model that it counts for. */
export interface Quality {
  /** Start of its hour, epoch seconds. */
  hour: number;
  score: ScoreHeader;
  /** `''` when it counts for no model. */
  model: string;
}

/** The summary of a trace, for lists. */
export interface TraceSummary extends TraceNodes {
  startNs: bigint;
  /** First and last start of a record of the trace: of a span, or of the trace's own record. */
  oldestNs: bigint;
  newestNs: bigint;
  endNs: bigint | null;
  name: string;
  sessionId: string;
  userId: string;
  environment: string;
  release: string;
  tags: readonly string[];
  errorCount: number;
  /** Code, and first 200 characters of the message, of the failed span that started last; `''` when none failed. */
  errorCode: string;
  errorMessage: string;
  spanCount: number;
  callCount: number;
  unpricedCalls: number;
  models: readonly string[];
  agents: readonly string[];
  cost: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
  inputPreview: string;
  outputPreview: string;
}

/** Everything that is derived from one trace. */
export interface TraceView {
  /** By span id. */
  calls: Map<string, Call>;
  /** By call id. */
  nodeCalls: Map<string, NodeCall>;
  /** By score id. */
  quality: Map<string, Quality>;
  /** null when the trace has neither a span nor its own record. */
  summary: TraceSummary | null;
}

const noGraph: ReturnType<typeof nodeCallsOf> = { nodeCalls: new Map(), nodes: { nodes: [], nodeEnvironments: [] } };

/**
 * Derives the view of a trace from all of its spans (and its own record, `spanId` `''`) and scores, each in its latest version. Pure: the
 * same rows give the same view, so that a repeated batch derives the same rows.
 */
export function viewTrace(spans: readonly SpanHeader[], scores: readonly ScoreHeader[]): TraceView {
  const nodes = spans.filter((span) => span.spanId !== '');
  const counted = nodes.filter((span) => !isSimulated(span));
  const record = spans.find((span) => span.spanId === '');
  const resolved = resolveTrace(nodes);
  const calls = new Map<string, Call>();
  for (const span of nodes) {
    const rules = resolved.get(span);
    if (!rules || rules.repeats || span.model === '' || !countsTokens(span)) continue;
    calls.set(span.spanId, {
      hour: hourOf(span.startNs),
      span,
      agentName: rules.agentName,
      operation: span.operation === '' && span.source === 'otlp' ? span.kind : span.operation,
    });
  }
  const summary = spans.length === 0 ? null : summarise(nodes, record, resolved, calls);
  const ofModels = counted.length === nodes.length ? calls : new Map([...calls].filter(([, { span }]) => !isSimulated(span)));
  const graph = summary ? nodeCallsOf(resolved, ofModels, summary) : noGraph;
  return {
    calls: ofModels,
    nodeCalls: graph.nodeCalls,
    quality: qualityOf(counted, scores, ofModels),
    summary: summary && { ...summary, ...graph.nodes },
  };
}

/** Only spans of these kinds count as calls and add tokens and cost (docs/semantics.md, "Calls"). */
function countsTokens(span: SpanHeader): boolean {
  return span.kind === 'llm' || span.kind === 'embedding';
}

/** The model of a score: its own, else that of the scored span, else, for a trace's score, the trace's only model (docs/semantics.md, "Model of a score"). */
function qualityOf(
  nodes: readonly SpanHeader[],
  scores: readonly ScoreHeader[],
  calls: ReadonlyMap<string, Call>,
): Map<string, Quality> {
  const quality = new Map<string, Quality>();
  if (scores.length === 0) return quality;
  const models = new Set([...calls.values()].map((call) => call.span.model));
  const onlyModel = models.size === 1 ? ([...models][0] ?? '') : '';
  const modelBySpan = new Map(nodes.map((span) => [span.spanId, span.model]));
  for (const score of scores) {
    const derived = score.spanId === '' ? onlyModel : (modelBySpan.get(score.spanId) ?? '');
    quality.set(score.scoreId, {
      hour: Math.floor(score.timestampMs / 3_600_000) * 3600,
      score,
      model: score.model === '' ? derived : score.model,
    });
  }
  return quality;
}

function summarise(
  nodes: readonly SpanHeader[],
  record: SpanHeader | undefined,
  resolved: ReadonlyMap<SpanHeader, ResolvedNode>,
  calls: ReadonlyMap<string, Call>,
): Omit<TraceSummary, keyof TraceNodes> {
  const ordered = nodes.toSorted(byStart);
  const present = new Set(nodes.map((span) => span.spanId));
  const root = ordered.find((span) => span.parentSpanId === '' || !present.has(span.parentSpanId)) ?? ordered[0];
  const startNs = ordered[0]?.startNs ?? record?.startNs ?? 0n;
  const newestSpanNs = ordered.at(-1)?.startNs ?? startNs;
  const lastFailed = ordered.findLast((span) => span.error);
  const first = (read: (span: SpanHeader) => string): string => {
    for (const span of [record, root, ...ordered]) if (span && read(span) !== '') return read(span);
    return '';
  };
  const counted = nodes.filter((span) => countsTokens(span) && resolved.get(span)?.repeats === false);
  const sum = (read: (span: SpanHeader) => number | null) => counted.reduce((total, span) => total + (read(span) ?? 0), 0);
  // Larger numbers are not exact, and the column's range ends at 2^64.
  const sumOfTokens = (read: (span: SpanHeader) => number | null) => Math.min(sum(read), Number.MAX_SAFE_INTEGER);
  return {
    startNs,
    oldestNs: record && record.startNs < startNs ? record.startNs : startNs,
    newestNs: record && record.startNs > newestSpanNs ? record.startNs : newestSpanNs,
    endNs: latestEnd(nodes),
    name: record?.name || nameOf(ordered, root),
    sessionId: first((span) => span.sessionId),
    userId: first((span) => span.userId),
    environment: first((span) => span.environment),
    release: first((span) => span.release),
    tags: [...new Set([...(record?.tags ?? []), ...ordered.flatMap((span) => span.tags)])].slice(0, 200),
    errorCount: nodes.filter((span) => span.error).length,
    errorCode: lastFailed?.errorCode ?? '',
    errorMessage: lastFailed?.errorMessage ?? '',
    spanCount: nodes.length,
    callCount: calls.size,
    unpricedCalls: [...calls.values()].filter((call) => call.span.costStatus === 'unpriced').length,
    models: sortedNames([...calls.values()].map((call) => call.span.model)),
    agents: sortedNames(nodes.map((span) => resolved.get(span)?.agentName ?? '')),
    cost: exact(sum((span) => span.costUsd)),
    inputTokens: sumOfTokens((span) => span.inputTokens),
    outputTokens: sumOfTokens((span) => span.outputTokens),
    cachedTokens: sumOfTokens((span) => span.cachedTokens),
    reasoningTokens: sumOfTokens((span) => span.reasoningTokens),
    inputPreview: preview(record, root, (span) => span.inputPreview),
    outputPreview: preview(record, root, (span) => span.outputPreview),
  };
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

function preview(record: SpanHeader | undefined, root: SpanHeader | undefined, read: (span: SpanHeader) => string): string {
  return record && read(record) !== '' ? read(record) : root ? read(root) : '';
}

function byStart(left: SpanHeader, right: SpanHeader): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId);
}

function latestEnd(nodes: readonly SpanHeader[]): bigint | null {
  let latest: bigint | null = null;
  for (const { endNs } of nodes) if (endNs !== null && (latest === null || endNs > latest)) latest = endNs;
  return latest;
}
