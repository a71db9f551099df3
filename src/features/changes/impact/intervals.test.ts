import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanDifference, proportionDifference } from './intervals.ts';
import { percentileOf, percentileDifference } from './percentile-difference.ts';
import type { Durations } from './percentile-difference.ts';

describe("Newcombe's method 10", () => {
  // The paper's table II, method 10.
  it.each([
    [48, 80, 56, 70, 0.2, 0.0524, 0.3339],
    [3, 10, 9, 10, 0.6, 0.1705, 0.809],
    [2, 7, 6, 7, 0.5714, 0.0582, 0.8062],
    [0, 29, 5, 56, 0.0893, -0.0381, 0.1926],
    [0, 10, 0, 20, 0, -0.2775, 0.1611],
    [0, 10, 10, 10, 1, 0.6075, 1],
  ])('%i of %i, then %i of %i', (hits, total, laterHits, laterTotal, delta, low, high) => {
    const found = proportionDifference({ hits, total }, { hits: laterHits, total: laterTotal });
    expect(found.delta).toBeCloseTo(delta, 4);
    expect(found.ciLow).toBeCloseTo(low, 4);
    expect(found.ciHigh).toBeCloseTo(high, 4);
  });

  it('holds the difference, and is mirrored when the sides are exchanged', () => {
    const share = fc
      .integer({ min: 1, max: 10_000 })
      .chain((total) => fc.record({ hits: fc.nat(total), total: fc.constant(total) }));
    fc.assert(
      fc.property(share, share, (before, after) => {
        const found = proportionDifference(before, after);
        const mirrored = proportionDifference(after, before);
        expect(found.ciLow).toBeLessThanOrEqual(found.delta);
        expect(found.ciHigh).toBeGreaterThanOrEqual(found.delta);
        expect(mirrored.ciLow).toBeCloseTo(-found.ciHigh, 12);
      }),
      { endOnFailure: true },
    );
  });
});

describe("Welch's interval", () => {
  it('has the quantile of the t distribution with the degrees of freedom of both samples', () => {
    // Equal variances and counts: 2 (n - 1) = 30 degrees of freedom, whose quantile is 2.042272.
    const found = meanDifference({ count: 16, mean: 1, variance: 4 }, { count: 16, mean: 3, variance: 4 });
    expect(found).toEqual({
      delta: 2,
      ciLow: expect.closeTo(2 - 2.042272 * Math.SQRT1_2, 5),
      ciHigh: expect.closeTo(2 + 2.042272 * Math.SQRT1_2, 5),
    });
    // One sample decides: 9 degrees of freedom, 2.262157.
    const narrow = meanDifference({ count: 10, mean: 0, variance: 10 }, { count: 1e9, mean: 0, variance: 1e-9 });
    expect(narrow.ciHigh).toBeCloseTo(2.262157, 5);
  });

  it('is a point where nothing varies', () => {
    expect(meanDifference({ count: 5, mean: 1, variance: 0 }, { count: 5, mean: 2, variance: 0 })).toEqual({
      delta: 1,
      ciLow: 1,
      ciHigh: 1,
    });
  });

  it('is 0 where means differ in their last digits alone', () => {
    const found = meanDifference({ count: 30, mean: 1 / 3, variance: 0 }, { count: 31, mean: 0.333333333333333, variance: 0 });
    expect(found).toEqual({ delta: 0, ciLow: 0, ciHigh: 0 });
  });
});

function durationsOf(list: readonly number[]): Durations {
  const values = [...new Set(list)].toSorted((left, right) => left - right);
  return { values, upTo: values.map((value) => list.filter((one) => one <= value).length), count: list.length };
}

describe('the difference of percentiles', () => {
  it('takes the value at rank ⌊q · (n − 1)⌋', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, q) => {
          const sorted = list.toSorted((left, right) => left - right);
          expect(percentileOf(durationsOf(list), q)).toBe(sorted[Math.floor(q * (list.length - 1))]);
        },
      ),
      { endOnFailure: true },
    );
  });

  it('has the interval of a bootstrap that draws every resample', async () => {
    const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), 1)[0] ?? 0;
    let state = Math.floor(random * 2 ** 31) + 1;
    const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const [before, after] = [120, 80].map((count) => Array.from({ length: count }, () => Math.round(1_000 * next() ** 3))) as [
      number[],
      number[],
    ];
    const p95 = (list: readonly number[]) =>
      list.toSorted((left, right) => left - right)[Math.floor(0.95 * (list.length - 1))] ?? 0;
    const resample = (list: readonly number[]) => list.map(() => list[Math.floor(next() * list.length)] ?? 0);
    const drawn = Array.from({ length: 4_000 }, () => p95(resample(after)) - p95(resample(before)));
    const found = await percentileDifference(durationsOf(before), durationsOf(after), 0.95, 'seed');
    expect(found.delta).toBe(p95(after) - p95(before));
    // The share of the slow bootstrap outside of each end is 2.5 %, within 5 standard errors of both simulations; equal values are at an end.
    const share = (is: (value: number) => boolean) => drawn.filter(is).length / drawn.length;
    expect(share((value) => value < found.ciLow)).toBeLessThan(0.05);
    expect(share((value) => value <= found.ciLow)).toBeGreaterThan(0.005);
    expect(share((value) => value > found.ciHigh)).toBeLessThan(0.05);
    expect(share((value) => value >= found.ciHigh)).toBeGreaterThan(0.005);
    expect(await percentileDifference(durationsOf(before), durationsOf(after), 0.95, 'seed')).toEqual(found);
  });
});
