import type { ListedTrace, Session, TraceSummary } from '../../contract/traces.ts';
import type { SpanRecord } from '../records/index.ts';

// An oracle for docs/semantics.md, "Trace summary", "Sessions" and "Partly expired traces": computes them directly from the raw events. It imports only types of
// the service.

/** The latest version of every span and record of a project, and those that are retained. */
export class RetainedTraces {
  readonly #stored: readonly SpanRecord[];
  readonly #edgeNs: bigint;

  /** @param sent in order of arrival; a later one with the same ids replaces an earlier one */
  constructor(sent: readonly SpanRecord[], edgeNs: bigint) {
    this.#stored = [...new Map(sent.map((span) => [`${span.traceId} ${span.spanId}`, span])).values()];
    this.#edgeNs = edgeNs;
  }

  /** The retained spans of a trace, and its own record if that is retained. */
  recordsOf(traceId: string): SpanRecord[] {
    return this.#stored.filter((span) => span.traceId === traceId && span.startNs >= this.#edgeNs);
  }

  summaries(): TraceSummary[] {
    const traceIds = new Set(this.#stored.map((span) => span.traceId));
    return [...traceIds].filter((traceId) => this.recordsOf(traceId).length > 0).map((traceId) => this.#summary(traceId));
  }

  /** {@link summaries} with the error of the failed span that started last, as lists have it. */
  listed(): ListedTrace[] {
    return this.summaries().map((trace) => {
      const failed = this.recordsOf(trace.traceId).filter(({ spanId, status }) => spanId !== '' && status === 'error');
      const last = failed.toSorted(byStart).at(-1);
      return {
        ...trace,
        error: last ? { code: last.errorCode || null, message: [...last.errorMessage].slice(0, 200).join('') || null } : null,
      };
    });
  }

  sessions(): Session[] {
    const traces = Map.groupBy(
      this.summaries().filter(({ sessionId }) => sessionId !== null),
      ({ sessionId }) => sessionId ?? '',
    );
    return [...traces].map(([sessionId, ofSession]) => sessionOf(sessionId, ofSession));
  }

  #summary(traceId: string): TraceSummary {
    const records = this.recordsOf(traceId).toSorted(byStart);
    const own = records.find((span) => span.spanId === '');
    const spans = records.filter((span) => span.spanId !== '');
    const isMissing = (id: string) => id === '' || !spans.some((span) => span.spanId === id);
    const root = spans.find((span) => isMissing(span.parentSpanId)) ?? spans[0];
    const topmost = spans.find((span) => span.parentSpanId === '') ?? root;
    const order = [own, root, ...spans].filter((span) => span !== undefined);
    const first = (field: 'sessionId' | 'userId' | 'environment' | 'release') =>
      order.find((span) => span[field] !== '')?.[field] ?? null;
    const calls = spans.filter((span) => span.model !== '' && this.#counts(span));
    const counted = spans.filter((span) => this.#counts(span));
    const sum = (field: 'costUsd' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'reasoningTokens') =>
      counted.reduce((total, span) => total + (span[field] ?? 0), 0);
    // Of a partly expired trace the depth is not known.
    const isWhole = this.#stored.filter((span) => span.traceId === traceId).length === records.length;
    const roots = spans.filter((span) => isMissing(span.parentSpanId));
    const shown = (isWhole ? roots.flatMap((one) => [one, ...this.#below(one)]) : spans).filter((span) => this.#counts(span));
    const withInput = shown.filter(({ input }) => input !== '');
    const withOutput = shown.filter(({ output }) => output !== '');
    const startNs = spans[0]?.startNs ?? own?.startNs ?? 0n;
    const ends = spans.flatMap(({ endNs }) => (endNs === null ? [] : [endNs])).toSorted((a, b) => Number(a - b));
    const endNs = ends.at(-1) ?? null;
    return {
      traceId,
      name: own?.name || topmost?.traceName || spans.find((span) => span.traceName !== '')?.traceName || topmost?.name || null,
      startTime: timestamp(startNs),
      endTime: endNs === null ? null : timestamp(endNs),
      durationMs: endNs === null ? null : Math.max(0, Number(endNs - startNs) / 1e6),
      status: spans.some((span) => span.status === 'error') ? 'error' : 'ok',
      sessionId: first('sessionId'),
      userId: first('userId'),
      environment: first('environment'),
      release: first('release'),
      tags: [...new Set([...(own?.tags ?? []), ...spans.flatMap((span) => span.tags)])],
      models: distinct(calls.map((span) => span.model)),
      agents: distinct(spans.map((span) => agentOf(span, spans))),
      spanCount: spans.length,
      callCount: calls.length,
      errorCount: spans.filter((span) => span.status === 'error').length,
      unpricedCalls: calls.filter((span) => span.costStatus === 'unpriced').length,
      partlyPricedCalls: calls.filter((span) => span.costStatus === 'partly_priced').length,
      costUsd: sum('costUsd'),
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cachedTokens: sum('cachedTokens'),
      reasoningTokens: sum('reasoningTokens'),
      inputPreview: own?.input || root?.input || withInput[0]?.input || null,
      outputPreview: own?.output || root?.output || withOutput.at(-1)?.output || null,
    };
  }

  /** Whether tokens and cost of a span count: which spans repeat others is decided over all spans that are stored. */
  #counts(span: SpanRecord): boolean {
    if (span.spanId === '' || (span.kind !== 'llm' && span.kind !== 'embedding')) return false;
    if (span.model === '') return true;
    const outer = this.#stored.filter((other) => other.spanId !== '' && this.#below(other).includes(span));
    return !this.#below(span).some((other) => repeats(span, other)) && !outer.some((other) => contains(other, span));
  }

  #below(span: SpanRecord): SpanRecord[] {
    const children = this.#stored.filter(
      (other) => other.traceId === span.traceId && other.spanId !== '' && other.parentSpanId === span.spanId,
    );
    return children.toSorted(byStart).flatMap((child) => [child, ...this.#below(child)]);
  }
}

const tokensOf = (span: SpanRecord) => [span.inputTokens ?? 0, span.outputTokens ?? 0].join();
const hasTokens = (span: SpanRecord) => tokensOf(span) !== '0,0';
const isBare = (span: SpanRecord) => !hasTokens(span) && span.responseId === '';

/** Whether two nested spans may be one call; their models are the same by their names, or by their tokens. */
function mayBeOne(outer: SpanRecord, inner: SpanRecord, byTokens: boolean): boolean {
  const isOther = outer.responseId !== '' && inner.responseId !== '' && outer.responseId !== inner.responseId;
  const isSame = inner.model === outer.model || (byTokens && hasTokens(inner) && tokensOf(inner) === tokensOf(outer));
  return !isOther && isSame && inner.kind === outer.kind && inner.model !== '' && outer.model !== '';
}

function repeats(outer: SpanRecord, inner: SpanRecord): boolean {
  const bothFailed = inner.status === 'error' && outer.status === 'error';
  if (mayBeOne(outer, inner, true) && (hasTokens(inner) || bothFailed)) return true;
  return mayBeOne(outer, inner, false) && isBare(outer);
}

/** Whether the outer span is the call, of which the inner one only shows a part. */
function contains(outer: SpanRecord, inner: SpanRecord): boolean {
  return mayBeOne(outer, inner, false) && isBare(inner) && !isBare(outer) && inner.status !== 'error';
}

function agentOf(span: SpanRecord, spans: readonly SpanRecord[]): string {
  if (span.agentName !== '') return span.agentName;
  let above = spans.find((other) => other.spanId === span.parentSpanId);
  while (above && !(above.kind === 'agent' && above.agentName !== '')) {
    const parent: string = above.parentSpanId;
    above = spans.find((other) => other.spanId === parent);
  }
  return above?.agentName ?? '';
}

function sessionOf(sessionId: string, traces: readonly TraceSummary[]): Session {
  const sum = (of: (trace: TraceSummary) => number) => traces.reduce((total, trace) => total + of(trace), 0);
  const lastOf = ({ startTime, endTime }: TraceSummary) => (endTime !== null && endTime > startTime ? endTime : startTime);
  const latest = traces.filter(({ userId }) => userId !== null).toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1));
  return {
    sessionId,
    userId: latest.at(-1)?.userId ?? null,
    environments: distinct(traces.map(({ environment }) => environment ?? '')),
    firstSeen: traces.map(({ startTime }) => startTime).toSorted()[0] ?? '',
    lastSeen: traces.map(lastOf).toSorted().at(-1) ?? '',
    traceCount: traces.length,
    spanCount: sum((trace) => trace.spanCount),
    callCount: sum((trace) => trace.callCount),
    errorCount: sum((trace) => trace.errorCount),
    unpricedCalls: sum((trace) => trace.unpricedCalls),
    partlyPricedCalls: sum((trace) => trace.partlyPricedCalls),
    costUsd: sum((trace) => trace.costUsd),
    inputTokens: sum((trace) => trace.inputTokens),
    outputTokens: sum((trace) => trace.outputTokens),
    cachedTokens: sum((trace) => trace.cachedTokens),
    reasoningTokens: sum((trace) => trace.reasoningTokens),
  };
}

function byStart(left: SpanRecord, right: SpanRecord): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return left.spanId < right.spanId ? -1 : 1;
}

/** Names of the tests are ASCII: their order is that of code points. */
function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').toSorted();
}

function timestamp(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString();
}
