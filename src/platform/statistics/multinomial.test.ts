import { describe, expect, test } from 'vitest';
import { classesOf, generatorOf, Resampler } from './index.ts';

const resamples = 20_000;
/** Classes that are drawn as binomial numbers of every kind, and small ones whose values are drawn one by one. */
const sizes = [330, 64, 90, 70, 1, 30, 15];
const values = sizes.reduce((sum, size) => sum + size, 0);

function draws(seed: string, of = sizes): Int32Array[] {
  const resampler = new Resampler(
    classesOf(of.flatMap((size, one) => Array.from({ length: size }, () => one))),
    generatorOf(seed),
  );
  return Array.from({ length: resamples }, () => {
    const counts = new Int32Array(of.length);
    resampler.draw(counts);
    return counts;
  });
}

/** The chances of at most 0, 1, ..., n successes. */
function binomialDistribution(n: number, p: number): number[] {
  let chance = (1 - p) ** n;
  let sum = 0;
  return Array.from({ length: n + 1 }, (_, k) => {
    sum += chance;
    chance *= (p * (n - k)) / ((1 - p) * (k + 1));
    return sum;
  });
}

describe('resamples by classes', () => {
  const drawn = draws('seed');

  test('draw as many values as there are', () => {
    for (const counts of drawn) expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values);
  });

  test.each(sizes.entries().toArray())('draw class %i of %i values with its binomial distribution', (one, size) => {
    const seen = new Int32Array(values + 1);
    for (const counts of drawn) seen[counts[one] ?? 0] = (seen[counts[one] ?? 0] ?? 0) + 1;
    let upTo = 0;
    // Kolmogorov's distance, which is exceeded by chance once in 10,000 times.
    for (const [count, expected] of binomialDistribution(values, size / values).entries()) {
      upTo += seen[count] ?? 0;
      expect(Math.abs(upTo / resamples - expected)).toBeLessThan(2.23 / Math.sqrt(resamples));
    }
  });

  test('draw less of one class the more they draw of another', () => {
    for (const [one, other] of [
      [0, 1],
      [0, 5],
      [2, 6],
      [5, 6],
    ] as const) {
      const [size, otherSize] = [sizes[one] ?? 0, sizes[other] ?? 0];
      const covariance =
        drawn.reduce((sum, counts) => sum + ((counts[one] ?? 0) - size) * ((counts[other] ?? 0) - otherSize), 0) / resamples;
      // Within 5 standard errors.
      const error = 5 * Math.sqrt((size * otherSize) / resamples);
      expect(Math.abs(covariance + (size * otherSize) / values)).toBeLessThan(error);
    }
  });

  test('are the same for the same seed and others for another', () => {
    expect(draws('seed').slice(0, 20)).toEqual(drawn.slice(0, 20));
    expect(draws('other').slice(0, 20)).not.toEqual(drawn.slice(0, 20));
  });

  test('of many small classes draw each as often', () => {
    // Several blocks.
    const classes = classesOf(Array.from({ length: 5_000 }, (_, value) => value));
    const resampler = new Resampler(classes, generatorOf('seed'));
    const [sum, counts] = [new Int32Array(5_000), new Int32Array(5_000)];
    const times = 500;
    for (let resample = 0; resample < times; resample += 1) {
      resampler.draw(counts);
      for (const [one, count] of counts.entries()) sum[one] = (sum[one] ?? 0) + count;
    }
    expect(sum.reduce((all, count) => all + count, 0)).toBe(5_000 * times);
    // Pearson's test: as many degrees of freedom as classes but one; within 5 standard deviations.
    const chiSquare = sum.reduce((all, count) => all + (count - times) ** 2 / times, 0);
    expect(Math.abs(chiSquare - 4_999)).toBeLessThan(5 * Math.sqrt(2 * 4_999));
  });

  test('of one class draw it alone', () => {
    expect(draws('seed', [100]).every(([count]) => count === 100)).toBe(true);
  });
});
