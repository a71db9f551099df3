import type { ApplicationUser, ApplicationUserDetail, UserSort } from '../../../contract/users.ts';
import type { OutcomeRecord, ScoreRecord, SpanRecord } from '../../records/index.ts';

// An oracle for docs/semantics.md, "Users": computes the figures one by one from what was sent. It imports only types of the service. Every span of a kind that
// calls models names a response of its own, so that none repeats another.

/** What a project was sent, in order of arrival: a later one with the same ids replaces an earlier one. */
export interface Sent {
  spans: readonly SpanRecord[];
  scores: readonly ScoreRecord[];
  outcomes: readonly OutcomeRecord[];
  /** Traces deleted after everything was sent. */
  deleted: ReadonlySet<string>;
}

/** A trace as lists have it. */
export interface OracleTrace {
  traceId: string;
  userId: string;
  sessionId: string;
  startNs: bigint;
  spans: SpanRecord[];
  calls: SpanRecord[];
  cost: number;
  input: number;
  output: number;
  errors: number;
  scores: ScoreRecord[];
  outcomes: OutcomeRecord[];
}

export interface Terms {
  edgeMs: number;
  fromMs: number;
  /** Exclusive. */
  beforeMs: number;
}

const last = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];
const sum = <T>(items: readonly T[], of: (item: T) => number) => items.reduce((total, item) => total + of(item), 0);
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const rounded = (value: number) => Number(value.toPrecision(15));
const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const iso = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString();
const isCall = ({ kind, model }: SpanRecord) => (kind === 'llm' || kind === 'embedding') && model !== '';

/** The traces of users that a list of the range has. */
export function tracesOf({ spans, scores, outcomes, deleted }: Sent, { edgeMs, fromMs, beforeMs }: Terms): OracleTrace[] {
  const stored = last(spans, ({ traceId, spanId }) => `${traceId} ${spanId}`).filter(({ traceId }) => !deleted.has(traceId));
  const told = last(scores, ({ scoreId }) => scoreId).filter(({ timestampMs }) => timestampMs >= edgeMs);
  const reported = last(outcomes, ({ outcomeId }) => outcomeId).filter(({ occurredMs }) => occurredMs >= edgeMs);
  const [fromNs, beforeNs] = [BigInt(fromMs) * 1_000_000n, BigInt(beforeMs) * 1_000_000n];
  return [...Map.groupBy(stored, ({ traceId }) => traceId)]
    .flatMap(([traceId, records]): OracleTrace[] => {
      const retained = records.filter(({ startNs }) => startNs >= BigInt(edgeMs) * 1_000_000n).toSorted(byStart);
      const own = retained.find(({ spanId }) => spanId === '');
      const members = retained.filter(({ spanId }) => spanId !== '');
      const root = members.find(({ parentSpanId }) => !members.some(({ spanId }) => spanId === parentSpanId)) ?? members[0];
      const first = (field: 'userId' | 'sessionId' | 'environment') =>
        [own, root, ...members].find((span) => span !== undefined && span[field] !== '')?.[field] ?? '';
      const startNs = members[0]?.startNs ?? own?.startNs;
      if (startNs === undefined) return [];
      const isSimulated =
        first('environment') === 'simulation' &&
        members.some(({ agentName }) => agentName === 'simulation') &&
        retained.some(({ tags }) => tags.includes('simulation'));
      if (isSimulated) return [];
      const ofModels = members.filter(({ kind }) => kind === 'llm' || kind === 'embedding');
      return [
        {
          traceId,
          userId: first('userId'),
          sessionId: first('sessionId'),
          startNs,
          spans: members,
          calls: members.filter(isCall).map((span) => ({ ...span, agentName: agentOf(span, records) })),
          cost: sum(ofModels, ({ costUsd }) => costUsd ?? 0),
          input: sum(ofModels, ({ inputTokens }) => inputTokens ?? 0),
          output: sum(ofModels, ({ outputTokens }) => outputTokens ?? 0),
          errors: members.filter(({ status }) => status === 'error').length,
          scores: told.filter((score) => score.traceId === traceId),
          outcomes: reported.filter((outcome) => outcome.traceId === traceId),
        },
      ];
    })
    .filter(({ userId, startNs }) => userId !== '' && startNs >= fromNs && startNs < beforeNs);
}

/** Its own agent, else that of the nearest agent above it, retained or not. */
function agentOf(span: SpanRecord, records: readonly SpanRecord[]): string {
  if (span.agentName !== '') return span.agentName;
  const parent = records.find(({ spanId }) => spanId !== '' && spanId === span.parentSpanId);
  if (parent === undefined) return '';
  return parent.kind === 'agent' ? parent.agentName : agentOf({ ...parent, agentName: '' }, records);
}

function byStart(left: SpanRecord, right: SpanRecord): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return byCodePoint(left.spanId, right.spanId);
}

function missing(calls: readonly SpanRecord[]) {
  const withStatus = (status: string) => calls.filter(({ costStatus }) => costStatus === status).length;
  return { unpricedCalls: withStatus('unpriced'), partlyPricedCalls: withStatus('partly_priced') };
}

function activity(traces: readonly OracleTrace[]) {
  const calls = traces.flatMap((trace) => trace.calls);
  return {
    traces: traces.length,
    calls: calls.length,
    errors: sum(traces, ({ errors }) => errors),
    ...missing(calls),
    costUsd: rounded(sum(traces, ({ cost }) => cost)),
  };
}

function userOf(userId: string, traces: readonly OracleTrace[]): ApplicationUser {
  const starts = traces.map(({ startNs }) => startNs).toSorted((a, b) => Number(a - b));
  const scores = traces.flatMap((trace) => trace.scores).filter(({ isQuality, score }) => isQuality && !Number.isNaN(score));
  const scaled = sum(scores, ({ score, scaleMin, scaleMax }) => (score - scaleMin) / (scaleMax - scaleMin));
  const outcomes = traces.flatMap((trace) => trace.outcomes);
  const succeeded = outcomes.filter(({ success }) => success === true).length;
  const failed = outcomes.filter(({ success }) => success === false).length;
  const figures = activity(traces);
  const isWhole = figures.unpricedCalls + figures.partlyPricedCalls === 0;
  return {
    userId,
    firstSeen: iso(starts[0] ?? 0n),
    lastSeen: iso(starts.at(-1) ?? 0n),
    ...figures,
    sessions: new Set(traces.flatMap(({ sessionId }) => (sessionId === '' ? [] : [sessionId]))).size,
    inputTokens: sum(traces, ({ input }) => input),
    outputTokens: sum(traces, ({ output }) => output),
    avgScore: scores.length === 0 ? null : rounded(scaled / scores.length),
    evalCount: scores.length,
    outcomes: outcomes.length,
    successRate: share(succeeded, succeeded + failed),
    costPerSuccess: isWhole && succeeded > 0 ? rounded(figures.costUsd / succeeded) : null,
  };
}

const figureOf: Record<UserSort, (user: ApplicationUser) => number> = {
  '-cost': ({ costUsd }) => costUsd,
  '-lastSeen': ({ lastSeen }) => Date.parse(lastSeen),
  '-traces': ({ traces }) => traces,
  '-errors': ({ errors }) => errors,
};

/** The list of users, whole. */
export function usersOracle(traces: readonly OracleTrace[], sort: UserSort): ApplicationUser[] {
  return [...Map.groupBy(traces, ({ userId }) => userId)]
    .map(([userId, own]) => userOf(userId, own))
    .toSorted((a, b) => figureOf[sort](b) - figureOf[sort](a) || byCodePoint(a.userId, b.userId));
}

/** The answer for one user; null without a trace. */
export function userOracle(all: readonly OracleTrace[], userId: string): ApplicationUserDetail | null {
  const traces = all.filter((trace) => trace.userId === userId);
  if (traces.length === 0) return null;
  const calls = traces.flatMap((trace) => trace.calls);
  const called = (of: (span: SpanRecord) => string) =>
    [...Map.groupBy(calls, of)]
      .filter(([name]) => name !== '')
      .map(([name, own]) => ({
        name,
        calls: own.length,
        ...missing(own),
        costUsd: rounded(sum(own, ({ costUsd }) => costUsd ?? 0)),
      }))
      .toSorted((a, b) => b.costUsd - a.costUsd || b.calls - a.calls || byCodePoint(a.name, b.name));
  const triggered = traces
    .flatMap(({ spans }) => spans.filter(({ kind }) => kind === 'guardrail'))
    .flatMap(({ output }) => {
      const { results } = JSON.parse(output) as { results: Array<{ guardrail: string; triggered: boolean }> };
      return [...new Set(results.filter((result) => result.triggered).map(({ guardrail }) => guardrail))];
    });
  return {
    user: userOf(userId, traces),
    timeline: [...Map.groupBy(traces, ({ startNs }) => iso(startNs).slice(0, 10))]
      .map(([day, own]) => ({ day, ...activity(own) }))
      .toSorted((a, b) => byCodePoint(a.day, b.day)),
    byModel: called(({ model }) => model).map(({ name, ...figures }) => ({ model: name, ...figures })),
    byAgent: called(({ agentName }) => agentName).map(({ name, ...figures }) => ({ agent: name, ...figures })),
    guardrails: [...Map.groupBy(triggered, (slug) => slug)]
      .map(([slug, checks]) => ({ slug, triggered: checks.length }))
      .toSorted((a, b) => b.triggered - a.triggered || byCodePoint(a.slug, b.slug)),
  };
}
