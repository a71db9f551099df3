import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import type { GateThresholds } from '../../../contract/simulation-gate.ts';
import { checksOf } from './statistics.ts';
import type { PairedRuns, RunSide } from './statistics.ts';

/** One item of one run, with a figure for each repetition. */
interface Item {
  passed: boolean[];
  errors: boolean[];
  costs: number[];
  latencies: number[];
}

const share = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function sideOf(items: readonly Item[]): RunSide {
  const offsets = [0];
  for (const { latencies } of items) offsets.push((offsets.at(-1) ?? 0) + latencies.length);
  return {
    passed: Float64Array.from(items, ({ passed }) => share(passed)),
    errors: Float64Array.from(items, ({ errors }) => share(errors)),
    cost: Float64Array.from(items, ({ costs }) => mean(costs)),
    priced: items.some(({ costs }) => costs.length > 0),
    latencies: { values: Float64Array.from(items.flatMap(({ latencies }) => latencies)), offsets: Int32Array.from(offsets) },
  };
}

const runsOf = (pairs: ReadonlyArray<readonly [Item, Item]>): PairedRuns => ({
  baseline: sideOf(pairs.map(([then]) => then)),
  candidate: sideOf(pairs.map(([, now]) => now)),
});

const everything: GateThresholds = {
  maxPassRateDrop: 0,
  minPassRate: 0.5,
  maxErrorRate: 0.5,
  maxP95LatencyIncrease: 0.1,
  maxCostIncrease: 0.1,
};
const checks = (pairs: ReadonlyArray<readonly [Item, Item]>, confidence?: number, thresholds = everything, seed = 'seed') =>
  checksOf(runsOf(pairs), { thresholds, confidence, seed });

/** The value at rank floor(0.95 (n - 1)); undefined without values. */
function p95(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[Math.floor(0.95 * (values.length - 1))];
}

/** The oracle: the deltas of the five checks, from lists of items. */
function deltas(pairs: ReadonlyArray<readonly [Item, Item]>): number[] {
  const [then, now] = [pairs.map(([item]) => item), pairs.map(([, item]) => item)];
  const increase = (before: number, after: number) => (before === 0 ? (after === 0 ? 0 : Infinity) : (after - before) / before);
  // A candidate that never answered is not faster.
  const slower = (before?: number, after?: number) =>
    before !== undefined && after === undefined ? Infinity : increase(before ?? 0, after ?? 0);
  const rate = (items: readonly Item[]) => mean(items.map(({ passed }) => share(passed)));
  const cost = (items: readonly Item[]) => mean(items.map(({ costs }) => mean(costs)));
  return [
    rate(then) - rate(now),
    rate(now),
    mean(now.map(({ errors }) => share(errors))),
    slower(p95(then.flatMap(({ latencies }) => latencies)), p95(now.flatMap(({ latencies }) => latencies))),
    increase(cost(then), cost(now)),
  ];
}

/** Uniform numbers (mulberry32), independent of the tested generator. */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const amount = fc.integer({ min: 0, max: 40 }).map((value) => value / 8);
const item = fc.integer({ min: 1, max: 3 }).chain((repetitions) => {
  const each = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: repetitions, maxLength: repetitions });
  return fc.record({
    passed: each(fc.boolean()),
    errors: each(fc.boolean()),
    costs: each(amount),
    latencies: fc.array(amount, { maxLength: repetitions }),
  });
});
const pairsOf = (maxLength: number) => fc.array(fc.tuple(item, item), { minLength: 1, maxLength });

test('the point figures are those of the items, and decide without confidence', () => {
  fc.assert(
    fc.property(pairsOf(30), (pairs) => {
      const expected = deltas(pairs);
      const limits = [0, 0.5, 0.5, 0.1, 0.1];
      for (const [index, check] of checks(pairs).entries()) {
        const [delta = 0, limit = 0] = [expected[index], limits[index]];
        if (delta === Infinity) expect(check).toMatchObject({ delta: null, verdict: 'fail' });
        else {
          expect(check.delta).toBeCloseTo(delta, 9);
          const within = index === 1 ? delta >= limit - 1e-9 : delta <= limit + 1e-9;
          expect([check.name, check.verdict]).toEqual([check.name, within ? 'pass' : 'fail']);
        }
        expect([check.ciLow, check.ciHigh]).toEqual([null, null]);
      }
    }),
  );
});

/** Compares the intervals with those of `resamples` resamples of whole items. @param tolerance 5 standard errors of both simulations */
function expectIntervalsOf(
  pairs: ReadonlyArray<readonly [Item, Item]>,
  seed: number,
  { resamples, tolerance }: { resamples: number; tolerance: number },
): void {
  const uniform = uniforms(seed);
  const slow = Array.from({ length: resamples }, () =>
    deltas(pairs.map(() => pairs[Math.floor(uniform() * pairs.length)] ?? fail())),
  );
  for (const [index, { delta, ciLow, ciHigh }] of checks(pairs, 0.9, everything, String(seed)).entries()) {
    if (delta === null) continue;
    const values = slow.map((resample) => resample[index] ?? 0);
    const below = (end: number) => values.filter((value) => value < end - 1e-9).length / values.length;
    const upTo = (end: number) => values.filter((value) => value <= end + 1e-9).length / values.length;
    // The share outside of each end is 5 %; equal values are at an end.
    for (const [end, quantile] of [
      [ciLow ?? Infinity, 0.05],
      [ciHigh ?? Infinity, 0.95],
    ] as const) {
      expect(below(end)).toBeLessThan(quantile + tolerance);
      expect(upTo(end)).toBeGreaterThan(quantile - tolerance);
    }
  }
}

test('the intervals are those of a slow bootstrap', () => {
  fc.assert(
    fc.property(pairsOf(8), fc.integer(), (pairs, seed) =>
      expectIntervalsOf(pairs, seed, { resamples: 4_000, tolerance: 0.022 }),
    ),
    { numRuns: 20 },
  );
});

test.each([
  ['figures that many share', (uniform: () => number) => Math.floor(uniform() * 4) + 1],
  ['figures that none shares', (uniform: () => number) => 1 + uniform()],
])('the intervals of many items are those of a slow bootstrap, with %s', (_, figure) => {
  const uniform = uniforms(3);
  const itemOf = (passRate: number): Item => ({
    passed: [uniform() < passRate, uniform() < passRate],
    errors: [uniform() < 0.1, false],
    costs: [figure(uniform)],
    latencies: uniform() < 0.9 ? [figure(uniform), figure(uniform)] : [figure(uniform)],
  });
  const pairs = Array.from({ length: 300 }, (): [Item, Item] => [itemOf(0.9), itemOf(0.8)]);
  expectIntervalsOf(pairs, 3, { resamples: 1_000, tolerance: 0.038 });
});

function fail(): never {
  throw new Error('no such item');
}

const of = (passed: boolean, latency = 1, cost = 0): Item => ({
  passed: [passed],
  errors: [false],
  costs: [cost],
  latencies: [latency],
});

describe('an interval', () => {
  test('covers the true drop in 95 % ± 2 of 2,000 experiments', () => {
    const uniform = uniforms(20_261_123);
    let covered = 0;
    const experiments = runs({ usual: 250, nightly: 2_000 });
    for (let experiment = 0; experiment < experiments; experiment += 1) {
      // Passes then with 80 %, and now with 70 %, of items of different difficulty.
      const pairs = Array.from({ length: 100 }, (): [Item, Item] => {
        const shift = (uniform() - 0.5) * 0.3;
        return [of(uniform() < 0.8 + shift), of(uniform() < 0.7 + shift)];
      });
      const [check] = checks(pairs, 0.95, { maxPassRateDrop: 0 }, String(experiment));
      if (check && (check.ciLow ?? 1) <= 0.1 && 0.1 <= (check.ciHigh ?? 0)) covered += 1;
    }
    const tolerance = experiments >= 2_000 ? 0.02 : 0.04;
    expect(Math.abs(covered / experiments - 0.95)).toBeLessThanOrEqual(tolerance);
  }, 300_000);

  test('is the same for the same seed and another for another', () => {
    const uniform = uniforms(1);
    const pairs = Array.from({ length: 60 }, (): [Item, Item] => [
      of(true, uniform(), uniform()),
      of(uniform() < 0.7, uniform(), uniform()),
    ]);
    expect(checks(pairs, 0.95)).toEqual(checks(pairs, 0.95));
    expect(checks(pairs, 0.95, everything, 'other')).not.toEqual(checks(pairs, 0.95));
  });

  test('is as wide as the confidence says', () => {
    const uniform = uniforms(2);
    const pairs = Array.from({ length: 50 }, (): [Item, Item] => [of(true), of(uniform() < 0.6)]);
    const widthOf = (confidence: number) => {
      const [check] = checks(pairs, confidence, { maxPassRateDrop: 0 });
      return (check?.ciHigh ?? 0) - (check?.ciLow ?? 0);
    };
    expect(widthOf(0.8)).toBeLessThan(widthOf(0.95));
    expect(widthOf(0.95)).toBeLessThan(widthOf(0.99));
  });
});

describe('a check with an interval', () => {
  const pairs = Array.from({ length: 100 }, (_, index): [Item, Item] => [of(true), of(index % 10 !== 0)]);
  const verdictAt = (maxPassRateDrop: number) => checks(pairs, 0.95, { maxPassRateDrop })[0];

  test('passes and fails with its whole interval alone', () => {
    const [check] = checks(pairs, 0.95, { maxPassRateDrop: 0 });
    const [low, high] = [check?.ciLow ?? 0, check?.ciHigh ?? 0];
    expect([low < 0.1, high > 0.1, low > 0]).toEqual([true, true, true]);
    expect(verdictAt(high)?.verdict).toBe('pass');
    expect(verdictAt(high - 0.001)?.verdict).toBe('inconclusive');
    expect(verdictAt(low)?.verdict).toBe('inconclusive');
    expect(verdictAt(low - 0.001)?.verdict).toBe('fail');
  });

  test('says how many items would decide it', () => {
    const near = verdictAt(0.11);
    const far = verdictAt(0.14);
    expect(near?.itemsNeeded).toBeGreaterThan(far?.itemsNeeded ?? Infinity);
    expect(far?.itemsNeeded).toBeGreaterThan(100);
    expect(verdictAt(0.1)?.itemsNeeded).toBeNull();
    expect(verdictAt(0.5)).not.toHaveProperty('itemsNeeded');
    // With so many items of the same kind the check is decided.
    const needed = far?.itemsNeeded ?? 0;
    const more = Array.from({ length: Math.ceil(needed * 1.3) }, (_, index): [Item, Item] => [of(true), of(index % 10 !== 0)]);
    expect(checks(more, 0.95, { maxPassRateDrop: 0.14 })[0]?.verdict).toBe('pass');
  });
});

describe('an increase over nothing', () => {
  test.each([undefined, 0.95])('is 0 if there is nothing now too, else fails (confidence %s)', (confidence) => {
    const same = checks([[of(true), of(true)]], confidence, { maxPassRateDrop: 0, maxCostIncrease: 0 });
    expect(same[1]).toMatchObject({ name: 'cost_increase', baseline: 0, candidate: 0, delta: 0, verdict: 'pass' });
    const more = checks([[of(true), of(true, 1, 2)]], confidence, { maxPassRateDrop: 0, maxCostIncrease: 1_000 });
    expect(more[1]).toMatchObject({ baseline: 0, candidate: 2, delta: null, verdict: 'fail', ciLow: null, ciHigh: null });
  });

  test.each([undefined, 0.95])('fails where the costs of the candidate are not known (confidence %s)', (confidence) => {
    const unknown: Item = { ...of(true), costs: [] };
    const costly = { maxPassRateDrop: 0, maxCostIncrease: 1_000 };
    const figures = { baseline: 2, candidate: null, delta: null, verdict: 'fail', ciLow: null, ciHigh: null };
    expect(checks([[of(true, 1, 2), unknown]], confidence, costly)[1]).toMatchObject(figures);
    expect(checks([[unknown, unknown]], confidence, costly)[1]).toMatchObject({ delta: 0, verdict: 'pass' });
    // As an item that ended with an error beside others.
    const some: Array<[Item, Item]> = [
      [of(true, 1, 2), of(true, 1, 2)],
      [of(true, 1, 2), unknown],
    ];
    expect(checks(some, confidence, costly)[1]).toMatchObject({ candidate: 1, delta: -0.5, verdict: 'pass' });
  });

  test('may be the upper end of an interval', () => {
    const pairs: Array<[Item, Item]> = [
      [of(true, 1, 1), of(true, 1, 1)],
      [of(true, 1, 0), of(true, 1, 5)],
    ];
    expect(checks(pairs, 0.95, { maxPassRateDrop: 0, maxCostIncrease: 6 })[1]).toMatchObject({
      delta: 5,
      ciHigh: null,
      verdict: 'inconclusive',
      itemsNeeded: null,
    });
  });

  test('of latencies that neither run has is 0', () => {
    const none: Item = { ...of(true), latencies: [] };
    expect(checks([[none, none]], 0.95, { maxPassRateDrop: 0, maxP95LatencyIncrease: 0 })[1]).toMatchObject({
      baseline: null,
      candidate: null,
      delta: 0,
      verdict: 'pass',
    });
  });
});

test('differences in the last binary digit do not decide', () => {
  // 0.9 - 0.88 is more than 0.02 in binary.
  const pairs = Array.from({ length: 100 }, (_, index): [Item, Item] => [of(index < 90), of(index < 88)]);
  expect(checks(pairs, undefined, { maxPassRateDrop: 0.02 })[0]).toMatchObject({ delta: 0.02, verdict: 'pass' });
  const verdictAt = (thresholds: GateThresholds, check = 0) => {
    const tenths = Array.from({ length: 10 }, (_, index): [Item, Item] => [of(true), of(index < 7)]);
    return checks(tenths, undefined, thresholds)[check]?.verdict;
  };
  expect(verdictAt({ maxPassRateDrop: 0.7 - 0.4 })).toBe('pass');
  expect(verdictAt({ maxPassRateDrop: 0.2999999999995 })).toBe('pass');
  expect(verdictAt({ maxPassRateDrop: 0.299999999998 })).toBe('fail');
  expect(verdictAt({ maxPassRateDrop: 1, minPassRate: 0.1 * 7 }, 1)).toBe('pass');
});
