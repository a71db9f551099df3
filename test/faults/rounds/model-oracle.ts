/**
 * The model detail of docs/semantics.md, "Model figures", computed directly from native events: no hours, no rollups, no SQL. An
 * oracle: it imports nothing of the service.
 */

export interface OracleSpan {
  type: 'span';
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: string;
  startTime: string;
  endTime?: string;
  model?: string;
  provider?: string;
  agentName?: string;
  operation?: string;
  usage?: { inputTokens?: number; outputTokens?: number; cachedTokens?: number; reasoningTokens?: number };
  costUsd?: number;
  timeToFirstTokenMs?: number;
  status?: 'ok' | 'error';
  errorCode?: string;
}

export interface OracleScore {
  type: 'score';
  scoreId: string;
  traceId: string;
  spanId?: string;
  evaluator: string;
  score: number;
  passed?: boolean;
  model?: string;
  timestamp: string;
}

const dayMs = 86_400_000;

interface Corpus {
  spans: OracleSpan[];
  scores: OracleScore[];
}

/** The last version of each event, in the order of first arrival: docs/semantics.md, "Replacement by id". */
function latest(events: ReadonlyArray<OracleSpan | OracleScore>): Corpus {
  const spans = new Map<string, OracleSpan>();
  const scores = new Map<string, OracleScore>();
  for (const event of events) {
    if (event.type === 'span') spans.set(`${event.traceId}/${event.spanId}`, event);
    else scores.set(event.scoreId, event);
  }
  return { spans: [...spans.values()], scores: [...scores.values()] };
}

/** docs/semantics.md, "Repeated calls". */
function repeatsDescendant(span: OracleSpan, spans: readonly OracleSpan[]): boolean {
  const below = new Set([span.spanId]);
  const family = spans.filter((other) => other.traceId === span.traceId);
  for (let grown = true; grown;) {
    grown = false;
    for (const other of family) {
      if (!below.has(other.spanId) && below.has(other.parentSpanId ?? '')) {
        below.add(other.spanId);
        grown = true;
      }
    }
  }
  return family.some(
    (other) =>
      other !== span &&
      below.has(other.spanId) &&
      other.kind === span.kind &&
      other.model === span.model &&
      ((other.usage?.inputTokens ?? 0) > 0 ||
        (other.usage?.outputTokens ?? 0) > 0 ||
        (span.status === 'error' && other.status === 'error')),
  );
}

/** docs/semantics.md, "Agent names". Parents form no cycles. */
function agentOf(span: OracleSpan, spans: readonly OracleSpan[]): string | undefined {
  if (span.agentName) return span.agentName;
  const parent = spans.find((other) => other.traceId === span.traceId && other.spanId === span.parentSpanId);
  if (!parent) return undefined;
  return parent.kind === 'agent' && parent.agentName ? parent.agentName : agentOf({ ...parent, agentName: '' }, spans);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length);
const distinct = (values: ReadonlyArray<string | undefined>) =>
  new Set(values.filter((value) => value !== undefined && value !== ''));
const duration = (span: OracleSpan) =>
  span.endTime === undefined ? null : Date.parse(span.endTime) - Date.parse(span.startTime);
const finished = (spans: readonly OracleSpan[]) => spans.map(duration).filter((value) => value !== null);
/** docs/semantics.md, "Percentiles". */
const ranked = (spans: readonly OracleSpan[], q: number) => {
  const times = finished(spans).toSorted((left, right) => left - right);
  return times[Math.floor(q * (times.length - 1))] ?? 0;
};
const cost = (spans: readonly OracleSpan[]) => sum(spans.map((span) => span.costUsd ?? 0));
const errors = (spans: readonly OracleSpan[]) => spans.filter((span) => span.status === 'error');
/** Order by code point, which is the order of the UTF-8 bytes. */
const byCodePoint = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** The model detail of `model` over `days` whole UTC days, the day of `nowMs` included, clipped at `oldestMs`. */
export function modelDetail(
  events: ReadonlyArray<OracleSpan | OracleScore>,
  model: string,
  { days, nowMs, oldestMs }: { days: number; nowMs: number; oldestMs: number },
) {
  const { spans, scores } = latest(events);
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const inRange = (time: string) =>
    Date.parse(time) >= Math.max(today - (days - 1) * dayMs, oldestMs) && Date.parse(time) < today + dayMs;
  const allCalls = spans.filter(
    (span) => (span.kind === 'llm' || span.kind === 'embedding') && span.model && !repeatsDescendant(span, spans),
  );
  const calls = allCalls
    .filter((span) => inRange(span.startTime))
    .map((span): OracleSpan => {
      const agentName = agentOf(span, spans);
      return agentName === undefined ? span : { ...span, agentName };
    });
  const modelOfScore = (score: OracleScore) => {
    if (score.model) return score.model;
    if (score.spanId) return spans.find((span) => span.traceId === score.traceId && span.spanId === score.spanId)?.model ?? '';
    const models = distinct(allCalls.filter((span) => span.traceId === score.traceId).map((span) => span.model));
    return models.size === 1 ? ([...models][0] ?? '') : '';
  };
  const scored = scores.filter((score) => inRange(score.timestamp)).map((score) => ({ ...score, for: modelOfScore(score) }));
  const own = calls.filter((span) => span.model === model);
  const point = (name: string) => {
    const theirs = calls.filter((span) => span.model === name);
    const evaluations = scored.filter((score) => score.for === name);
    return {
      model: name,
      callCount: theirs.length,
      avgCostUsd: cost(theirs) / theirs.length,
      totalCost: cost(theirs),
      avgEvalScore: mean(evaluations.map((score) => score.score)),
      evalCount: evaluations.length,
    };
  };
  const thisModel = own.length === 0 ? null : point(model);
  const points = [...distinct(calls.map((span) => span.model))]
    .filter((name) => name !== model)
    .map((name) => point(name ?? ''))
    .toSorted((left, right) => right.callCount - left.callCount || byCodePoint(left.model, right.model))
    .map((other) => ({
      ...other,
      cheaper: thisModel !== null && other.avgCostUsd < thisModel.avgCostUsd,
      costDeltaPct:
        thisModel === null || other.avgCostUsd === 0 ? null : (thisModel.avgCostUsd - other.avgCostUsd) / other.avgCostUsd,
      qualityDelta:
        thisModel === null || thisModel.avgEvalScore === null || other.avgEvalScore === null
          ? null
          : other.avgEvalScore - thisModel.avgEvalScore,
    }));
  const evaluations = own.length === 0 ? [] : scored.filter((score) => score.for === model);
  return {
    model,
    found: own.length > 0,
    summary: own.length === 0 ? null : summary(model, own, calls),
    timeline: [...distinct(own.map((span) => span.startTime.slice(0, 10)))].toSorted().map((day) => {
      const ofDay = own.filter((span) => span.startTime.startsWith(day ?? ''));
      return {
        day,
        calls: ofDay.length,
        cost: cost(ofDay),
        avg_latency: mean(finished(ofDay)) ?? 0,
        p95_latency: ranked(ofDay, 0.95),
        avg_ttft: mean(ofDay.flatMap((span) => span.timeToFirstTokenMs ?? [])),
        errors: errors(ofDay).length,
        error_rate: errors(ofDay).length / ofDay.length,
        cached_tokens: sum(ofDay.map((span) => span.usage?.cachedTokens ?? 0)),
        input_tokens: sum(ofDay.map((span) => span.usage?.inputTokens ?? 0)),
        output_tokens: sum(ofDay.map((span) => span.usage?.outputTokens ?? 0)),
      };
    }),
    errorBreakdown: [...distinct(errors(own).map((span) => span.errorCode ?? 'unknown'))]
      .map((error_code) => ({
        error_code,
        count: errors(own).filter((span) => (span.errorCode ?? 'unknown') === error_code).length,
      }))
      .toSorted((left, right) => right.count - left.count || byCodePoint(left.error_code ?? '', right.error_code ?? '')),
    usage: {
      agents: usage(own, (span) => span.agentName).map(({ key, ...row }) => ({ agent_name: key, ...row })),
      operations: usage(own, (span) => span.operation).map(({ key, ...row }) => ({ operation: key, ...row })),
    },
    quality: quality(evaluations),
    frontier: { thisModel, points },
  };
}

function summary(model: string, own: readonly OracleSpan[], all: readonly OracleSpan[]) {
  const providers = [...distinct(own.map((span) => span.provider))]
    .map((name) => ({ name: name ?? '', calls: own.filter((span) => span.provider === name).length }))
    .toSorted((left, right) => right.calls - left.calls || byCodePoint(left.name, right.name));
  const starts = own.map((span) => Date.parse(span.startTime));
  const successes = own.length - errors(own).length;
  const tokens = (read: (usage: NonNullable<OracleSpan['usage']>) => number | undefined) =>
    sum(own.map((span) => read(span.usage ?? {}) ?? 0));
  const input = tokens((used) => used.inputTokens);
  const rank = (q: number) => ranked(own, q);
  return {
    model,
    provider: providers[0]?.name ?? null,
    total_calls: own.length,
    unpriced_calls: own.filter((span) => span.costUsd === undefined).length,
    total_cost: cost(own),
    avg_cost_per_call: cost(own) / own.length,
    avg_cost_per_success: successes === 0 ? null : cost(own) / successes,
    p50_latency: rank(0.5),
    p95_latency: rank(0.95),
    p99_latency: rank(0.99),
    avg_ttft: mean(own.flatMap((span) => span.timeToFirstTokenMs ?? [])),
    error_count: errors(own).length,
    error_rate: errors(own).length / own.length,
    total_input_tokens: input,
    total_output_tokens: tokens((used) => used.outputTokens),
    total_cached_tokens: tokens((used) => used.cachedTokens),
    total_reasoning_tokens: tokens((used) => used.reasoningTokens),
    cache_hit_rate: input === 0 ? null : tokens((used) => used.cachedTokens) / input,
    trace_count: distinct(own.map((span) => span.traceId)).size,
    unique_agents: distinct(own.map((span) => span.agentName)).size,
    unique_operations: distinct(own.map((span) => span.operation)).size,
    first_seen: new Date(Math.min(...starts)).toISOString(),
    last_seen: new Date(Math.max(...starts)).toISOString(),
    share_of_calls: own.length / all.length,
    share_of_cost: cost(all) === 0 ? null : cost(own) / cost(all),
  };
}

function usage(own: readonly OracleSpan[], read: (span: OracleSpan) => string | undefined) {
  return [...distinct(own.map(read))]
    .map((key) => {
      const theirs = own.filter((span) => read(span) === key);
      return {
        key: key ?? '',
        calls: theirs.length,
        cost: cost(theirs),
        avg_latency: mean(finished(theirs)) ?? 0,
        error_rate: errors(theirs).length / theirs.length,
      };
    })
    .toSorted((left, right) => right.calls - left.calls || byCodePoint(left.key, right.key))
    .slice(0, 100);
}

function quality(evaluations: readonly OracleScore[]) {
  if (evaluations.length === 0) return { hasData: false, overall: null, byEvaluator: [], trend: [] };
  const figures = (scores: readonly OracleScore[]) => ({
    eval_count: scores.length,
    avg_score: mean(scores.map((score) => score.score)) ?? 0,
  });
  const passes = (scores: readonly OracleScore[]) => ({
    pass_count: scores.filter((score) => score.passed === true).length,
    fail_count: scores.filter((score) => score.passed === false).length,
  });
  const all = passes(evaluations);
  const judged = all.pass_count + all.fail_count;
  return {
    hasData: true,
    overall: { ...figures(evaluations), ...all, pass_rate: judged === 0 ? null : all.pass_count / judged },
    byEvaluator: [...distinct(evaluations.map((score) => score.evaluator))]
      .toSorted((left, right) => byCodePoint(left ?? '', right ?? ''))
      .map((evaluator_slug) => {
        const theirs = evaluations.filter((score) => score.evaluator === evaluator_slug);
        return { evaluator_slug, ...figures(theirs), ...passes(theirs) };
      }),
    trend: [...distinct(evaluations.map((score) => score.timestamp.slice(0, 10)))].toSorted().map((day) => ({
      day,
      ...figures(evaluations.filter((score) => score.timestamp.startsWith(day ?? ''))),
    })),
  };
}
