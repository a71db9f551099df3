/** The outcomes of docs/semantics.md, "Outcomes", computed from what was sent, in its order. An oracle: it imports nothing of the service. */

export interface SentSpan {
  type: 'span';
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: string;
  startTime: string;
  model?: string;
  agentName?: string;
  costUsd?: number;
  environment?: string;
  usage?: { inputTokens: number };
}

export interface SentOutcome {
  traceId: string;
  kind: string;
  value?: number;
  currency?: string;
  success?: boolean;
  occurredAt: string;
  idempotencyKey?: string;
}

export type Step = { spans: SentSpan[] } | { outcomes: SentOutcome[] } | { deleted: string };

interface Terms {
  days: number;
  nowMs: number;
  oldestMs: number;
  kind?: string | undefined;
  /** Of the traces of the outcomes. */
  environment?: string | undefined;
}

const dayMs = 86_400_000;
const isModelKind = ({ kind }: SentSpan) => kind === 'llm' || kind === 'embedding';
const byCodePoint = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));
const rounded = (value: number) => Number(value.toPrecision(15));
const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const costOfEach = (cost: number, count: number) => (count === 0 ? null : rounded(cost / count));

/** What is there after all steps: the last version of each span and outcome that no deletion followed. */
function remaining(steps: readonly Step[]): { spans: SentSpan[]; outcomes: SentOutcome[] } {
  const spans = new Map<string, SentSpan>();
  const outcomes = new Map<string, SentOutcome>();
  let number = 0;
  for (const step of steps) {
    if ('spans' in step) for (const span of step.spans) spans.set(`${span.traceId} ${span.spanId}`, span);
    else if ('outcomes' in step) {
      for (const outcome of step.outcomes) outcomes.set(outcome.idempotencyKey ?? `number ${number++}`, outcome);
    } else {
      for (const [key, { traceId }] of spans) if (traceId === step.deleted) spans.delete(key);
      for (const [key, { traceId }] of outcomes) if (traceId === step.deleted) outcomes.delete(key);
    }
  }
  return { spans: [...spans.values()], outcomes: [...outcomes.values()] };
}

const tokensOf = (span: SentSpan) => span.usage?.inputTokens ?? 0;

function isAbove(outer: SentSpan, inner: SentSpan, spans: readonly SentSpan[]): boolean {
  const parent = spans.find(({ traceId, spanId }) => traceId === inner.traceId && spanId === inner.parentSpanId);
  return parent !== undefined && (parent === outer || isAbove(outer, parent, spans));
}

/** Whether a span is no call of its own: docs/semantics.md, "Repeated calls". */
function repeats(span: SentSpan, spans: readonly SentSpan[]): boolean {
  const others = spans.filter((other) => isModelKind(other) && other.model !== undefined && other.kind === span.kind);
  return others.some((other) => {
    const sameModel = other.model === span.model;
    if (isAbove(span, other, spans)) {
      return (tokensOf(other) > 0 && (sameModel || tokensOf(other) === tokensOf(span))) || (sameModel && tokensOf(span) === 0);
    }
    return sameModel && isAbove(other, span, spans) && tokensOf(span) === 0 && tokensOf(other) > 0;
  });
}

function factsOf(traceId: string, spans: readonly SentSpan[], oldestMs: number) {
  const retained = spans.filter((span) => span.traceId === traceId && Date.parse(span.startTime) >= oldestMs);
  const calls = retained.filter((span) => isModelKind(span) && span.model !== undefined && !repeats(span, spans));
  return {
    unpriced: calls.filter(({ costUsd }) => costUsd === undefined).length,
    cost: calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    models: [...new Set(calls.map(({ model = '' }) => model))],
    agents: [...new Set(retained.flatMap(({ agentName }) => agentName ?? []))],
  };
}

type Facts = ReadonlyMap<string, ReturnType<typeof factsOf>>;

/** The first environment that the trace's root, then its spans by start, name. */
function environmentOf(traceId: string, spans: readonly SentSpan[], oldestMs: number): string {
  const retained = spans
    .filter((span) => span.traceId === traceId && Date.parse(span.startTime) >= oldestMs)
    .toSorted((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime) || byCodePoint(a.spanId, b.spanId));
  const root = retained.find(({ parentSpanId }) => !retained.some(({ spanId }) => spanId === parentSpanId));
  return [root, ...retained].flatMap((span) => span?.environment ?? [])[0] ?? '';
}

function figures(outcomes: readonly SentOutcome[], facts: Facts) {
  const succeeded = outcomes.filter(({ success }) => success === true).length;
  const judged = outcomes.filter(({ success }) => success !== undefined).length;
  const traces = [...new Set(outcomes.map(({ traceId }) => traceId))].flatMap((id) => facts.get(id) ?? []);
  const cost = traces.reduce((sum, trace) => sum + trace.cost, 0);
  const unpricedCalls = traces.reduce((sum, { unpriced }) => sum + unpriced, 0);
  const costPerSuccess = unpricedCalls > 0 ? null : costOfEach(cost, succeeded);
  const value = outcomes.reduce((sum, one) => sum + (one.value ?? 0), 0);
  return {
    count: outcomes.length,
    succeeded,
    judged,
    value,
    costs: { cost, unpricedCalls, partlyPricedCalls: 0, costPerSuccess },
  };
}

const currencyOf = ({ currency = 'USD' }: SentOutcome) => currency;

/** The groups of outcomes by some names, kind and currency, in the order of these. */
function grouped(outcomes: readonly SentOutcome[], namesOf: (outcome: SentOutcome) => readonly string[]) {
  const rows = outcomes.flatMap((outcome) => namesOf(outcome).map((name) => ({ name, outcome })));
  const groups = Map.groupBy(rows, ({ name, outcome }) => JSON.stringify([name, outcome.kind, currencyOf(outcome)]));
  return [...groups]
    .map(([key, members]) => {
      const [name = '', kind = '', currency = ''] = JSON.parse(key) as string[];
      return { name, kind, currency, outcomes: members.map(({ outcome }) => outcome) };
    })
    .toSorted((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.kind, b.kind) || byCodePoint(a.currency, b.currency));
}

function inRange(steps: readonly Step[], { days, nowMs, oldestMs, kind, environment }: Terms): SentOutcome[] {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const { spans, outcomes } = remaining(steps);
  return outcomes.filter((outcome) => {
    const at = Date.parse(outcome.occurredAt);
    const shown = at >= Math.max(today - (days - 1) * dayMs, oldestMs) && at < today + dayMs;
    const isKnown = spans.some(({ traceId, startTime }) => traceId === outcome.traceId && Date.parse(startTime) >= oldestMs);
    const isWanted = environment === undefined || (isKnown && environmentOf(outcome.traceId, spans, oldestMs) === environment);
    return shown && isWanted && (kind === undefined || outcome.kind === kind);
  });
}

/** The answer of `.../outcomes/summary`. */
export function summaryOracle(steps: readonly Step[], terms: Terms) {
  const { spans } = remaining(steps);
  const outcomes = inRange(steps, terms);
  const facts = new Map(outcomes.map(({ traceId }) => [traceId, factsOf(traceId, spans, terms.oldestMs)]));
  const attributed = (field: 'agent' | 'model', namesOf: (outcome: SentOutcome) => readonly string[]) =>
    grouped(outcomes, namesOf).map(({ name, kind, currency, outcomes: members }) => {
      const { count, succeeded, value, costs } = figures(members, facts);
      return { [field]: name, kind, currency, count, successCount: succeeded, value, ...costs };
    });
  return {
    totals: grouped(outcomes, () => ['']).map(({ kind, currency, outcomes: members }) => {
      const { count, succeeded, judged, value, costs } = figures(members, facts);
      return {
        kind,
        currency,
        count,
        successCount: succeeded,
        judgedCount: judged,
        successRate: share(succeeded, judged),
        value,
        ...costs,
        costPerOutcome: costOfEach(costs.cost, count),
      };
    }),
    timeline: grouped(outcomes, ({ occurredAt }) => [new Date(occurredAt).toISOString().slice(0, 10)]).map(
      ({ name, kind, currency, outcomes: members }) => {
        const { count, succeeded, value } = figures(members, facts);
        return { day: name, kind, currency, count, successCount: succeeded, value };
      },
    ),
    byAgent: attributed('agent', ({ traceId }) => facts.get(traceId)?.agents ?? []),
    byModel: attributed('model', ({ traceId }) => facts.get(traceId)?.models ?? []),
  };
}

/** The answer of `.../outcomes/kinds`. */
export function kindsOracle(steps: readonly Step[], terms: Terms) {
  const kinds = Map.groupBy(inRange(steps, terms), ({ kind }) => kind);
  return {
    kinds: [...kinds]
      .map(([kind, outcomes]) => {
        const times = outcomes.map(({ occurredAt }) => Date.parse(occurredAt));
        const [first, last] = [Math.min(...times), Math.max(...times)].map((ms) => new Date(ms).toISOString());
        return { kind, count: outcomes.length, firstSeen: first, lastSeen: last };
      })
      .toSorted((a, b) => byCodePoint(a.kind, b.kind)),
  };
}
