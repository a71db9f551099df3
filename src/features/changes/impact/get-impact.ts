import type { ChangeRecord, Impact, ImpactCheck, ImpactQuery } from '../../../contract/changes.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { ratio } from '../../../platform/statistics/index.ts';
import type { ChangesContext } from '../changes-context.ts';
import { callsSql, durationsSql, scoresSql } from './impact-sql.ts';
import type { Narrowing } from './impact-sql.ts';
import { meanDifference, proportionDifference } from './intervals.ts';
import type { Interval, Sample } from './intervals.ts';
import { percentileOf, percentileDifference } from './percentile-difference.ts';
import type { Durations } from './percentile-difference.ts';
import { hourMs } from '../../../contract/durations.ts';

/** Calls or scores on each side, below which nothing is concluded. */
const leastCount = 30;

/** The figures of one side. */
interface Side {
  calls: number;
  errors: number;
  cost: Sample;
  score: Sample;
  durations: Durations;
}

const emptySample: Sample = { count: 0, mean: 0, variance: 0 };
const emptySide = (): Side => ({
  calls: 0,
  errors: 0,
  cost: emptySample,
  score: emptySample,
  durations: { values: [], upTo: [], count: 0 },
});

/**
 * Figures of the hours before and after a change, and what differs (docs/semantics.md, "Impact of a change"). Both end now at
 * the latest, also for a change that is still to come.
 */
export async function getImpact(
  { clickhouse, clock }: Pick<ChangesContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Tenant,
  change: ChangeRecord,
  { hours, model, agent }: ImpactQuery,
): Promise<Impact> {
  const nowMs = clock.now();
  const changedMs = Date.parse(change.at);
  const atMs = Math.min(changedMs, nowMs);
  const fromMs = Math.min(changedMs - hours * hourMs, nowMs);
  const toMs = Math.min(changedMs + hours * hourMs, nowMs);
  const by = { model, agent, environment: change.environment ?? undefined, service: change.service ?? undefined };
  const reader = clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, nowMs) });
  // Nothing is stored from before 1970, and the hours of ClickHouse begin there.
  const stored = { fromMs: Math.max(fromMs, 0), atMs: Math.max(atMs, 0), toMs: Math.max(toMs, 0) };
  const endHour = Math.ceil(stored.toMs / hourMs) * 3600;
  const { before, after } = await readSides(reader, by, { ...stored, endHour });
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    before: { from: iso(fromMs), to: iso(atMs), ...figuresOf(before) },
    after: { from: iso(atMs), to: iso(toMs), ...figuresOf(after) },
    checks: await checksOf(before, after, change.id),
  };
}

async function readSides(
  reader: TenantReader,
  by: Narrowing,
  times: Readonly<Record<string, number>>,
): Promise<{ before: Side; after: Side }> {
  const given = Object.fromEntries(Object.entries(by).filter(([, value]) => value !== undefined));
  const parameters = { ...times, ...given };
  const [calls, durations, scores] = await Promise.all([
    reader.query<{ after: number; calls: number; errors: number; cost_sum: number; cost_variance: number }>(
      callsSql(by),
      parameters,
    ),
    reader.query<{ after: number; ms: number; calls: number }>(durationsSql(by), parameters),
    reader.query<{ after: number; scores: number; score_sum: number; variance: number }>(scoresSql(by), parameters),
  ]);
  const sides = [emptySide(), emptySide()] as const;
  for (const row of calls) {
    const side = sides[row.after === 1 ? 1 : 0];
    Object.assign(side, { calls: row.calls, errors: row.errors });
    side.cost = { count: row.calls, mean: ratio(row.cost_sum, row.calls, 0), variance: row.cost_variance };
  }
  for (const row of scores) {
    sides[row.after === 1 ? 1 : 0].score = {
      count: row.scores,
      mean: ratio(row.score_sum, row.scores, 0),
      variance: row.variance,
    };
  }
  for (const after of [0, 1] as const) {
    const own = durations.filter((row) => row.after === after);
    let count = 0;
    const upTo = own.map((row) => (count += row.calls));
    sides[after].durations = { values: own.map(({ ms }) => ms), upTo, count };
  }
  return { before: sides[0], after: sides[1] };
}

function figuresOf({ calls, errors, cost, score, durations }: Side) {
  return {
    calls,
    errorRate: calls === 0 ? null : errors / calls,
    p95LatencyMs: durations.count === 0 ? null : percentileOf(durations, 0.95),
    costPerCall: calls === 0 ? null : cost.mean,
    avgScore: score.count === 0 ? null : score.mean,
  };
}

async function checksOf(before: Side, after: Side, seed: string): Promise<ImpactCheck[]> {
  const [first, second] = [figuresOf(before), figuresOf(after)];
  const check = (
    metric: ImpactCheck['metric'],
    counts: readonly [number, number],
    interval: Interval | null,
    higherIs: 1 | -1,
  ) => ({
    metric,
    before: first[metric],
    after: second[metric],
    delta: interval?.delta ?? null,
    ciLow: interval?.ciLow ?? null,
    ciHigh: interval?.ciHigh ?? null,
    verdict: verdictOf(counts, interval, higherIs),
  });
  const ofCalls = [before.calls, after.calls] as const;
  const finished = [before.durations.count, after.durations.count] as const;
  const scored = [before.score.count, after.score.count] as const;
  const all = (counts: readonly number[], least: number) => counts.every((count) => count >= least);
  const rate = ({ errors, calls }: Side) => ({ hits: errors, total: calls });
  const latency = all(finished, 1) ? await percentileDifference(before.durations, after.durations, 0.95, seed) : null;
  return [
    check('errorRate', ofCalls, all(ofCalls, 1) ? proportionDifference(rate(before), rate(after)) : null, -1),
    check('p95LatencyMs', finished, latency, -1),
    check('costPerCall', ofCalls, all(ofCalls, 2) ? meanDifference(before.cost, after.cost) : null, -1),
    check('avgScore', scored, all(scored, 2) ? meanDifference(before.score, after.score) : null, 1),
  ];
}

function verdictOf(counts: readonly number[], interval: Interval | null, higherIs: 1 | -1): ImpactCheck['verdict'] {
  if (!interval || counts.some((count) => count < leastCount)) return 'inconclusive';
  if (interval.ciLow > 0) return higherIs === 1 ? 'better' : 'worse';
  if (interval.ciHigh < 0) return higherIs === 1 ? 'worse' : 'better';
  return 'unchanged';
}
