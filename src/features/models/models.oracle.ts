import type { FrontierPoint, ModelDetail, ModelList, ModelSummary, Overview, TimelineQuery } from '../../contract/models.ts';
import type { Plan } from '../../contract/plans.ts';
import type { ScoreRecord, SpanRecord } from '../records/index.ts';
import { overviewOf } from './overview.oracle.ts';
import {
  averageLatency,
  averageTtft,
  codePoints,
  cost,
  failed,
  groups,
  missing,
  percentile,
  sum,
  meanQuality,
  measuringQuality,
} from './sums.oracle.ts';
import type { Call, Evaluation } from './sums.oracle.ts';

// An oracle for the routes of docs/semantics.md, "Model figures": computes every figure directly from the raw events. It imports only
// types of the service; its constants are copied from the document.

export interface Corpus {
  /** In order of arrival; a later one with the same id replaces an earlier one: docs/semantics.md, "Replacement by id". */
  spans: readonly SpanRecord[];
  scores: readonly ScoreRecord[];
}

export interface Question {
  nowMs: number;
  plan: Plan;
  query?: TimelineQuery;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** docs/semantics.md, "Ranges and days". */
const rangeDays: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 };
/** docs/semantics.md, "Plans". */
const retentionDays: Readonly<Record<Plan, number>> = { free: 14, pro: 90, team: 180, scale: 365 };

/** The figures of a project over a range. */
export class Oracle {
  readonly #calls: Call[];
  readonly #evaluations: Evaluation[];
  /** Calls that name no model. */
  readonly #unnamed: readonly SpanRecord[];

  constructor(corpus: Corpus, question: Question) {
    const counts = (ms: number) => inWindow(ms, question);
    const rowOf = (ms: number) => (question.query?.interval === 'hour' ? hourOf(ms) : dayOf(ms));
    const spans = [...new Map(corpus.spans.map((span) => [`${span.traceId} ${span.spanId}`, span])).values()];
    const scores = [...new Map(corpus.scores.map((score) => [score.scoreId, score])).values()];
    const all = spans.filter((span) => isCall(span, spans));
    const wanted = question.query?.environment;
    const isWanted = ({ environment }: { environment: string }) => wanted === undefined || wanted.includes(environment);
    this.#unnamed = spans.filter(
      (span) => span.model === '' && countsTokens(span, spans) && counts(milliseconds(span.startNs)) && isWanted(span),
    );
    this.#evaluations = scores
      .filter((score) => counts(score.timestampMs))
      .map((score) => ({
        score,
        model: modelOf(score, spans, all),
        environment: environmentOf(score, spans),
        day: rowOf(score.timestampMs),
      }))
      .filter((evaluation) => evaluation.model !== '' && isWanted(evaluation));
    this.#calls = all
      .filter((span) => counts(milliseconds(span.startNs)) && isWanted(span))
      .map((span) => ({
        span,
        agent: agentOf(span, spans),
        operation: span.operation === '' && span.source === 'otlp' ? span.kind : span.operation,
        day: rowOf(milliseconds(span.startNs)),
        durationMs: span.endNs === null ? null : Math.max(0, Number(span.endNs - span.startNs) / 1e6),
      }));
  }

  detail(model: string): ModelDetail {
    const calls = this.#calls.filter(({ span }) => span.model === model);
    const found = calls.length > 0;
    const thisModel = found ? this.#point(model) : null;
    const points = this.#models()
      .filter((other) => other !== model)
      .map((other) => compared(this.#point(other), thisModel))
      .toSorted((left, right) => right.callCount - left.callCount || codePoints(left.model, right.model));
    return {
      model,
      found,
      summary: found ? this.#summary(model) : null,
      timeline: groups(calls, ({ day }) => day)
        .toSorted(([left], [right]) => codePoints(left, right))
        .map(([day, of]) => ({
          day,
          calls: of.length,
          cost: cost(of),
          ...missing(of),
          avg_latency: averageLatency(of),
          p95_latency: percentile(of, 0.95),
          avg_ttft: averageTtft(of),
          errors: failed(of).length,
          error_rate: failed(of).length / of.length,
          cached_tokens: sum(of, ({ span }) => span.cachedTokens),
          input_tokens: sum(of, ({ span }) => span.inputTokens),
          output_tokens: sum(of, ({ span }) => span.outputTokens),
        })),
      errorBreakdown: groups(failed(calls), ({ span }) => span.errorCode)
        .map(([error_code, of]) => ({ error_code, count: of.length }))
        .toSorted((left, right) => right.count - left.count || codePoints(left.error_code, right.error_code)),
      usage: {
        agents: usage(calls, ({ agent }) => agent).map(([agent_name, row]) => ({ agent_name, ...row })),
        operations: usage(calls, ({ operation }) => operation).map(([operation, row]) => ({ operation, ...row })),
      },
      quality: this.#quality(found ? model : null),
      frontier: { thisModel, points },
    };
  }

  list(): ModelList {
    const models = this.#models().map((model) => {
      const { avgEvalScore, evalCount } = this.#point(model);
      return { ...this.#summary(model), avg_eval_score: avgEvalScore, eval_count: evalCount };
    });
    return {
      models: models.toSorted((left, right) => right.total_cost - left.total_cost || codePoints(left.model, right.model)),
      unnamed: unnamedOf(this.#unnamed),
    };
  }

  overview(): Overview {
    return { ...overviewOf(this.#calls, this.#evaluations), unnamed: unnamedOf(this.#unnamed) };
  }

  #models(): string[] {
    return [...new Set(this.#calls.map(({ span }) => span.model))];
  }

  #summary(model: string): ModelSummary {
    const calls = this.#calls.filter(({ span }) => span.model === model);
    const starts = calls.map(({ span }) => Math.floor(milliseconds(span.startNs)));
    const successes = calls.length - failed(calls).length;
    const input = sum(calls, ({ span }) => span.inputTokens);
    const projectCost = cost(this.#calls);
    const distinct = (of: (call: Call) => string) => new Set(calls.map(of).filter((value) => value !== '')).size;
    const providers = groups(
      calls.filter(({ span }) => span.provider !== ''),
      ({ span }) => span.provider,
    ).toSorted(([left, ofLeft], [right, ofRight]) => ofRight.length - ofLeft.length || codePoints(left, right));
    return {
      model,
      provider: providers[0]?.[0] ?? null,
      total_calls: calls.length,
      ...missing(calls),
      total_cost: cost(calls),
      avg_cost_per_call: cost(calls) / calls.length,
      avg_cost_per_success: successes === 0 ? null : cost(calls) / successes,
      p50_latency: percentile(calls, 0.5),
      p95_latency: percentile(calls, 0.95),
      p99_latency: percentile(calls, 0.99),
      avg_ttft: averageTtft(calls),
      error_count: failed(calls).length,
      error_rate: failed(calls).length / calls.length,
      total_input_tokens: input,
      total_output_tokens: sum(calls, ({ span }) => span.outputTokens),
      total_cached_tokens: sum(calls, ({ span }) => span.cachedTokens),
      total_reasoning_tokens: sum(calls, ({ span }) => span.reasoningTokens),
      cache_hit_rate: input === 0 ? null : sum(calls, ({ span }) => span.cachedTokens) / input,
      trace_count: distinct(({ span }) => span.traceId),
      unique_agents: distinct(({ agent }) => agent),
      unique_operations: distinct(({ operation }) => operation),
      first_seen: new Date(Math.min(...starts)).toISOString(),
      last_seen: new Date(Math.max(...starts)).toISOString(),
      share_of_calls: calls.length / this.#calls.length,
      share_of_cost: projectCost === 0 ? null : cost(calls) / projectCost,
    };
  }

  #quality(model: string | null): ModelDetail['quality'] {
    const evaluations = this.#evaluations.filter((evaluation) => evaluation.model === model);
    if (evaluations.length === 0) return { hasData: false, overall: null, byEvaluator: [], trend: [] };
    const average = (of: readonly Evaluation[]) => ({
      eval_count: of.length,
      avg_score: sum(of, ({ score }) => score.score) / of.length,
    });
    const passes = (of: readonly Evaluation[]) => ({
      pass_count: of.filter(({ score }) => score.passed === true).length,
      fail_count: of.filter(({ score }) => score.passed === false).length,
    });
    const counted = measuringQuality(evaluations);
    const overAll = (of: readonly Evaluation[]) => ({ eval_count: of.length, avg_score: meanQuality(of) ?? 0 });
    const { pass_count, fail_count } = passes(counted);
    return {
      hasData: true,
      overall:
        counted.length === 0
          ? null
          : {
              ...overAll(counted),
              pass_count,
              fail_count,
              pass_rate: pass_count + fail_count === 0 ? null : pass_count / (pass_count + fail_count),
            },
      byEvaluator: groups(evaluations, ({ score }) => score.evaluator)
        .toSorted(([left], [right]) => codePoints(left, right))
        .map(([evaluator_slug, of]) => ({ evaluator_slug, ...average(of), ...passes(of) })),
      trend: groups(counted, ({ day }) => day)
        .toSorted(([left], [right]) => codePoints(left, right))
        .map(([day, of]) => ({ day, ...overAll(of) })),
    };
  }

  #point(model: string): FrontierPoint {
    const calls = this.#calls.filter(({ span }) => span.model === model);
    const scores = this.#evaluations.filter((evaluation) => evaluation.model === model);
    const { unpriced_calls: unpricedCalls, partly_priced_calls: partlyPricedCalls } = missing(calls);
    return {
      model,
      callCount: calls.length,
      avgCostUsd: cost(calls) / calls.length,
      totalCost: cost(calls),
      unpricedCalls,
      partlyPricedCalls,
      avgEvalScore: meanQuality(scores),
      evalCount: measuringQuality(scores).length,
    };
  }
}

const unnamedOf = (spans: readonly SpanRecord[]) => ({
  calls: spans.length,
  errors: spans.filter(({ status }) => status === 'error').length,
});

/** docs/semantics.md, "Frontier". */
function compared(point: FrontierPoint, reference: FrontierPoint | null): FrontierPoint {
  if (reference === null) return { ...point, cheaper: false, costDeltaPct: null, qualityDelta: null };
  return {
    ...point,
    cheaper: point.avgCostUsd < reference.avgCostUsd,
    costDeltaPct: point.avgCostUsd === 0 ? null : (reference.avgCostUsd - point.avgCostUsd) / point.avgCostUsd,
    qualityDelta:
      point.avgEvalScore === null || reference.avgEvalScore === null ? null : point.avgEvalScore - reference.avgEvalScore,
  };
}

/** docs/semantics.md, "Ranges and days" and "Retention edge". */
export function inWindow(ms: number, { nowMs, plan, query = {} }: Question): boolean {
  const today = Date.parse(`${dayOf(nowMs)}T00:00:00.000Z`);
  const { range, from, to } = query;
  if (ms < nowMs - retentionDays[plan] * dayMs) return false;
  if (from === undefined && to === undefined)
    return ms >= today - ((rangeDays[range ?? '30d'] ?? 0) - 1) * dayMs && ms < today + dayMs;
  const isEarly = from !== undefined && ms < Date.parse(from);
  return !isEarly && (to === undefined ? ms < today + dayMs : Math.floor(ms) <= Date.parse(to));
}

/** Divides to whole microseconds first: as numbers, nanoseconds since 1970 are not exact, and a start at an edge could be rounded down past it. */
export function milliseconds(ns: bigint): number {
  return Number(ns / 1000n) / 1000;
}

function hourOf(ms: number): string {
  return `${new Date(Math.floor(ms)).toISOString().slice(0, 13)}:00:00.000Z`;
}

function dayOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString().slice(0, 10);
}

/** docs/semantics.md, "Calls" and "Repeated calls". */
export function isCall(span: SpanRecord, spans: readonly SpanRecord[]): boolean {
  return span.model !== '' && countsTokens(span, spans);
}

/** docs/semantics.md, "Trace summary": whether the span's cost and tokens are in those of its trace. */
export function countsTokens(span: SpanRecord, spans: readonly SpanRecord[]): boolean {
  if (span.spanId === '' || (span.kind !== 'llm' && span.kind !== 'embedding')) return false;
  if (span.model === '') return true;
  const outer = ancestors(span, spans);
  return !descendants(span, spans).some((other) => repeats(span, other)) && !outer.some((other) => contains(other, span));
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
  return (mayBeOne(outer, inner, true) && (hasTokens(inner) || bothFailed)) || (mayBeOne(outer, inner, false) && isBare(outer));
}

/** Whether the outer span is the call, of which the inner one only shows a part. */
function contains(outer: SpanRecord, inner: SpanRecord): boolean {
  return mayBeOne(outer, inner, false) && isBare(inner) && !isBare(outer) && inner.status !== 'error';
}

export function ancestors(span: SpanRecord, spans: readonly SpanRecord[]): SpanRecord[] {
  const parent = parentOf(span, spans);
  return parent ? [parent, ...ancestors(parent, spans)] : [];
}

function parentOf(span: SpanRecord, spans: readonly SpanRecord[]): SpanRecord | undefined {
  if (span.parentSpanId === '') return undefined;
  return spans.find((other) => other.traceId === span.traceId && other.spanId === span.parentSpanId);
}

function descendants(span: SpanRecord, spans: readonly SpanRecord[]): SpanRecord[] {
  const children = spans.filter(
    (other) => other.traceId === span.traceId && other.spanId !== '' && other.parentSpanId === span.spanId,
  );
  return children.flatMap((child) => [child, ...descendants(child, spans)]);
}

/** docs/semantics.md, "Agent names". */
export function agentOf(span: SpanRecord, spans: readonly SpanRecord[]): string {
  if (span.agentName !== '') return span.agentName;
  if (isAgent(span, spans)) return span.name;
  const above = ancestors(span, spans).find((other) => isAgent(other, spans) && (other.agentName || other.name) !== '');
  return above ? above.agentName || above.name : '';
}

/** Whether a span is one of an agent, and not only around agents. */
export function isAgent(span: SpanRecord, spans: readonly SpanRecord[]): boolean {
  if (span.kind !== 'agent' || span.agentName !== '' || span.source === 'native') return span.kind === 'agent';
  return !descendants(span, spans).some((other) => other.kind === 'agent' && other.agentName !== '');
}

/** docs/semantics.md, "Model of a score"; `''` for none. */
function modelOf(score: ScoreRecord, spans: readonly SpanRecord[], calls: readonly SpanRecord[]): string {
  if (score.model !== '') return score.model;
  if (score.traceId === '') return '';
  if (score.spanId !== '')
    return spans.find((span) => span.traceId === score.traceId && span.spanId === score.spanId)?.model ?? '';
  const models = new Set(calls.filter((span) => span.traceId === score.traceId).map((span) => span.model));
  return models.size === 1 ? ([...models][0] ?? '') : '';
}

/** The environment of the scored span, else of the trace: docs/semantics/model-figures.md, "Figures by environment". */
function environmentOf(score: ScoreRecord, spans: readonly SpanRecord[]): string {
  const ofTrace = spans
    .filter(({ traceId, spanId }) => traceId === score.traceId && spanId !== '')
    .toSorted((left, right) => Number(left.startNs - right.startNs) || codePoints(left.spanId, right.spanId));
  const root = ofTrace.find(({ parentSpanId }) => parentSpanId === '' || !ofTrace.some(({ spanId }) => spanId === parentSpanId));
  const candidates = [ofTrace.find(({ spanId }) => spanId === score.spanId), root, ...ofTrace];
  return candidates.find((span) => span !== undefined && span.environment !== '')?.environment ?? '';
}

/** docs/semantics.md, "Usage by agent and operation". */
function usage(calls: readonly Call[], of: (call: Call) => string) {
  return groups(
    calls.filter((call) => of(call) !== ''),
    of,
  )
    .toSorted(([left, ofLeft], [right, ofRight]) => ofRight.length - ofLeft.length || codePoints(left, right))
    .slice(0, 100)
    .map(([name, rows]) => {
      const row = {
        calls: rows.length,
        cost: cost(rows),
        ...missing(rows),
        avg_latency: averageLatency(rows),
        error_rate: failed(rows).length / rows.length,
      };
      return [name, row] as const;
    });
}
