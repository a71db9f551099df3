import type { GateCheck, GateThresholds } from '../../../contract/simulation-gate.ts';
import { exact, percentile, percentileInterval } from '../../../platform/statistics/index.ts';
import { costIncreases, latencyIncreases, latencyQuantile, meansOf } from './bootstrap.ts';
import type { ItemLatencies } from './bootstrap.ts';

/** The figures of one run for each compared item. */
export interface RunSide {
  /** Share of the item's repetitions that passed. */
  passed: Float64Array;
  /** Share of them that are errors. */
  errors: Float64Array;
  /** Mean cost of them, US dollars; 0 where none is known. */
  cost: Float64Array;
  /** Whether the cost of any item is known. */
  priced: boolean;
  latencies: ItemLatencies;
}

/** The figures of two runs for the items that both have, in the same order. */
export interface PairedRuns {
  baseline: RunSide;
  candidate: RunSide;
}

export interface CheckOptions {
  thresholds: GateThresholds;
  /** Of the intervals; undefined: the figures themselves are compared. */
  confidence: number | undefined;
  /** The same seed gives the same intervals. */
  seed: string;
}

/** A check without `passed`, which depends on what is done about an inconclusive one. */
export type Checked = Omit<GateCheck, 'passed'>;

/** Differences from a limit below this decide nothing: they come from sums of shares. */
const tolerance = 1e-12;
/** More items than this are not worth telling. */
const maxItemsNeeded = 1_000_000_000;

interface Figures {
  name: GateCheck['name'];
  baseline: number | null;
  candidate: number | null;
  /** null: there is no increase over a baseline of 0. */
  delta: number | null;
  limit: number;
  /** Whether `delta` must be at least the limit; else it must be at most the limit. */
  least?: true;
}

/** An interval of `delta`; null: none was asked for. */
type Interval = { low: number; high: number } | null;

/** The checks of a gate, in their order (docs/semantics.md, "The gate"). Pure. */
export function checksOf({ baseline, candidate }: PairedRuns, { thresholds, confidence, seed }: CheckOptions): Checked[] {
  const { maxPassRateDrop, minPassRate, maxErrorRate, maxP95LatencyIncrease, maxCostIncrease } = thresholds;
  const items = baseline.passed.length;
  const checks: Checked[] = [];
  const add = (figures: Figures, resample: () => Float64Array): void => {
    if (items === 0) return void checks.push(undecided(figures));
    const interval = confidence === undefined || figures.delta === null ? null : percentileInterval(resample(), confidence);
    checks.push(decided(figures, interval, items));
  };
  const [passedThen, passedNow] = [meanOf(baseline.passed), meanOf(candidate.passed)];
  const drops = baseline.passed.map((passed, item) => passed - (candidate.passed[item] ?? 0));
  add({ name: 'pass_rate_drop', baseline: passedThen, candidate: passedNow, delta: meanOf(drops), limit: maxPassRateDrop }, () =>
    meansOf(drops, seed),
  );
  if (minPassRate !== undefined)
    add(
      { name: 'min_pass_rate', baseline: passedThen, candidate: passedNow, delta: passedNow, limit: minPassRate, least: true },
      () => meansOf(candidate.passed, seed),
    );
  if (maxErrorRate !== undefined) {
    const now = meanOf(candidate.errors);
    add({ name: 'max_error_rate', baseline: meanOf(baseline.errors), candidate: now, delta: now, limit: maxErrorRate }, () =>
      meansOf(candidate.errors, seed),
    );
  }
  if (maxP95LatencyIncrease !== undefined) {
    const p95Of = ({ latencies }: RunSide) => percentile(latencies.values.toSorted(), latencyQuantile);
    const [then, now] = [p95Of(baseline), p95Of(candidate)];
    add(
      {
        name: 'p95_latency_increase',
        baseline: then,
        candidate: now,
        // A candidate that never answered is not faster.
        delta: now === null && then !== null ? null : increase(then ?? 0, now ?? 0),
        limit: maxP95LatencyIncrease,
      },
      () => latencyIncreases(baseline.latencies, candidate.latencies, seed),
    );
  }
  if (maxCostIncrease !== undefined) {
    const then = meanOf(baseline.cost);
    // A candidate whose costs are unknown is not cheaper.
    const now = baseline.priced && !candidate.priced ? null : meanOf(candidate.cost);
    const delta = now === null ? null : increase(then, now);
    add({ name: 'cost_increase', baseline: then, candidate: now, delta, limit: maxCostIncrease }, () =>
      costIncreases(baseline.cost, candidate.cost, seed),
    );
  }
  return checks;
}

/** A check of runs in which every item is an error on both sides: there is nothing to compare. */
function undecided({ name, limit }: Figures): Checked {
  const none = { baseline: null, candidate: null, delta: null, ciLow: null, ciHigh: null };
  return { name, ...none, limit, verdict: 'inconclusive', itemsNeeded: null };
}

/** Whether the figure of a check is within its limit; not where there is none. */
export function isWithinLimit({ name, delta, limit }: Pick<Checked, 'name' | 'delta' | 'limit'>): boolean {
  return delta !== null && limit !== null && isWithin(delta, limit, name === 'min_pass_rate');
}

/** @param least whether the value must be at least the limit; else it must be at most the limit */
function isWithin(value: number, limit: number, least: boolean): boolean {
  return (least ? limit - value : value - limit) < tolerance;
}

/** A check fails only when its whole interval is beyond the limit, and passes only when its whole interval is within. */
function decided({ name, baseline, candidate, delta, limit, least }: Figures, interval: Interval, items: number): Checked {
  const [low, high] = interval === null ? [delta, delta] : [interval.low, interval.high].map(rounded);
  const common = {
    name,
    baseline,
    candidate,
    delta: delta === null ? null : rounded(delta),
    limit,
    ciLow: interval === null ? null : finite(low ?? null),
    ciHigh: interval === null ? null : finite(high ?? null),
  };
  if (delta === null || low === null || high === null || low === undefined || high === undefined)
    return { ...common, verdict: 'fail' };
  const [lowFits, highFits] = [low, high].map((value) => isWithin(value, limit, least ?? false));
  if (lowFits && highFits) return { ...common, verdict: 'pass' };
  if (!lowFits && !highFits) return { ...common, verdict: 'fail' };
  return { ...common, verdict: 'inconclusive', itemsNeeded: itemsNeeded({ delta, limit, low, high }, items) };
}

/** About how many items would narrow the interval so far that the limit is outside: its width shrinks with the root of their number. */
function itemsNeeded(
  { delta, limit, low, high }: { delta: number; limit: number; low: number; high: number },
  items: number,
): number | null {
  const distance = Math.abs(limit - delta);
  const half = delta <= limit ? high - delta : delta - low;
  const needed = Math.ceil(items * (half / distance) ** 2);
  return Number.isFinite(needed) && needed <= maxItemsNeeded ? Math.max(needed, items + 1) : null;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : exact(sum / values.length);
}

/** The relative increase; null over a baseline of 0, unless the candidate is 0 too. */
function increase(then: number, now: number): number | null {
  if (then === 0) return now === 0 ? 0 : null;
  return rounded((now - then) / then);
}

/** Without the errors of sums of shares, which must not decide a check whose figure is its limit. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(12)) : value;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
