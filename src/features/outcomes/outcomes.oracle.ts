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

/** Whether a span repeats one below it: docs/semantics.md, "Repeated calls". */
function repeats(span: SentSpan, spans: readonly SentSpan[], seen: ReadonlySet<string> = new Set()): boolean {
  return spans.some(
    (child) =>
      child.traceId === span.traceId &&
      child.parentSpanId === span.spanId &&
      !seen.has(child.spanId) &&
      ((child.kind === span.kind && child.model === span.model && (child.usage?.inputTokens ?? 0) > 0) ||
        repeats({ ...span, spanId: child.spanId }, spans, new Set([...seen, span.spanId, child.spanId]))),
  );
}

function factsOf(traceId: string, spans: readonly SentSpan[], oldestMs: number) {
  const retained = spans.filter((span) => span.traceId === traceId && Date.parse(span.startTime) >= oldestMs);
  const calls = retained.filter((span) => isModelKind(span) && span.model !== undefined && !repeats(span, spans));
  return {
    cost: calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    models: [...new Set(calls.map(({ model = '' }) => model))],
    agents: [...new Set(retained.flatMap(({ agentName }) => agentName ?? []))],
  };
}

function figures(outcomes: readonly SentOutcome[], costs: ReadonlyMap<string, number>) {
  const succeeded = outcomes.filter(({ success }) => success === true).length;
  const judged = outcomes.filter(({ success }) => success !== undefined).length;
  const cost = [...new Set(outcomes.map(({ traceId }) => traceId))].reduce((sum, id) => sum + (costs.get(id) ?? 0), 0);
  const value = outcomes.reduce((sum, one) => sum + (one.value ?? 0), 0);
  return { count: outcomes.length, succeeded, judged, cost, value };
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

function inRange(steps: readonly Step[], { days, nowMs, oldestMs, kind }: Terms): SentOutcome[] {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return remaining(steps).outcomes.filter((outcome) => {
    const at = Date.parse(outcome.occurredAt);
    const shown = at >= Math.max(today - (days - 1) * dayMs, oldestMs) && at < today + dayMs;
    return shown && (kind === undefined || outcome.kind === kind);
  });
}

/** The answer of `.../outcomes/summary`. */
export function summaryOracle(steps: readonly Step[], terms: Terms) {
  const { spans } = remaining(steps);
  const outcomes = inRange(steps, terms);
  const facts = new Map(outcomes.map(({ traceId }) => [traceId, factsOf(traceId, spans, terms.oldestMs)]));
  const costs = new Map([...facts].map(([traceId, { cost }]) => [traceId, cost]));
  const attributed = (field: 'agent' | 'model', namesOf: (outcome: SentOutcome) => readonly string[]) =>
    grouped(outcomes, namesOf).map(({ name, kind, currency, outcomes: members }) => {
      const { count, succeeded, cost, value } = figures(members, costs);
      const costPerSuccess = costOfEach(cost, succeeded);
      return { [field]: name, kind, currency, count, successCount: succeeded, value, cost, costPerSuccess };
    });
  return {
    totals: grouped(outcomes, () => ['']).map(({ kind, currency, outcomes: members }) => {
      const { count, succeeded, judged, cost, value } = figures(members, costs);
      return {
        kind,
        currency,
        count,
        successCount: succeeded,
        successRate: share(succeeded, judged),
        value,
        cost,
        costPerOutcome: costOfEach(cost, count),
        costPerSuccess: costOfEach(cost, succeeded),
      };
    }),
    timeline: grouped(outcomes, ({ occurredAt }) => [new Date(occurredAt).toISOString().slice(0, 10)]).map(
      ({ name, kind, currency, outcomes: members }) => {
        const { count, succeeded, value } = figures(members, costs);
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
