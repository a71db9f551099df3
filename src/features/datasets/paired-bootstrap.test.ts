import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairedBootstrap } from './paired-bootstrap.ts';

const bootstrap = (deltas: readonly number[], seed = 'seed') => pairedBootstrap(Float64Array.from(deltas), seed);

/** Normal deviates (mulberry32 and Box-Muller), independent of the tested generator. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The oracle: all possible resamples, equally likely. */
function everyMean(deltas: readonly number[]): number[] {
  let sums = [0];
  for (const _ of deltas) sums = sums.flatMap((sum) => deltas.map((delta) => sum + delta));
  return sums.map((sum) => sum / deltas.length).toSorted((left, right) => left - right);
}

describe('paired bootstrap', () => {
  test('of no differences is null, of one that difference', async () => {
    expect(await bootstrap([])).toEqual({ meanDelta: null, ciLow: null, ciHigh: null, n: 0 });
    expect(await bootstrap([0.25])).toEqual({ meanDelta: 0.25, ciLow: 0.25, ciHigh: 0.25, n: 1 });
    expect(await bootstrap([-1, -1, -1])).toEqual({ meanDelta: -1, ciLow: -1, ciHigh: -1, n: 3 });
    expect((await bootstrap([0.1, 0.2, 0.3])).meanDelta).toBe(0.2);
  });

  test('of which an end is 0 but for rounding ends at 0', async () => {
    // 0.3 - 0.1 - 0.2 is not 0 in doubles.
    const deltas = [0.3 - 0.1, 0.3 - 0.1, -0.2, -0.2].flatMap((delta) => [delta, delta, delta]);
    expect((await bootstrap(deltas)).meanDelta).toBe(0);
    const scores = [0.95 - 0.7, 0.35 - 0.1, 0.4 - 0.65, 0.2 - 0.45, 0.8 - 0.55, 0.6 - 0.85];
    for (let seed = 0; seed < 200; seed += 1) {
      const { ciLow, ciHigh } = await bootstrap([...scores, 0.9], String(seed));
      for (const end of [ciLow, ciHigh]) expect(end === 0 || Math.abs(end ?? 0) > 1e-6).toBe(true);
    }
  });

  test('matches the enumeration of all resamples for up to six differences', async () => {
    const deltas = fc.array(
      fc.integer({ min: -20, max: 20 }).map((value) => value / 4),
      { minLength: 2, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(deltas, fc.string(), async (values, seed) => {
        const means = everyMean(values);
        const share = (holds: (mean: number) => boolean) => means.filter(holds).length / means.length;
        const { meanDelta, ciLow, ciHigh, n } = await bootstrap(values, seed);
        expect(n).toBe(values.length);
        expect(meanDelta).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / n, 10);
        const low = Number(ciLow);
        const high = Number(ciHigh);
        // With 10,000 resamples the 2.5 % point is outside of the 1.8 % and 3.2 % points once in 100,000 times.
        expect(share((mean) => mean < low - 1e-9)).toBeLessThan(0.032);
        expect(share((mean) => mean <= low + 1e-9)).toBeGreaterThan(0.018);
        expect(share((mean) => mean > high + 1e-9)).toBeLessThan(0.032);
        expect(share((mean) => mean >= high - 1e-9)).toBeGreaterThan(0.018);
      }),
      { numRuns: 25 },
    );
  });

  test('is the same for the same seed, mirrored for exchanged runs, different for another seed', async () => {
    const normal = normals(1);
    const deltas = Array.from({ length: 40 }, () => 0.3 + normal());
    const once = await bootstrap(deltas, 'one');
    expect(await bootstrap(deltas, 'one')).toEqual(once);
    const mirrored = await bootstrap(
      deltas.map((delta) => -delta),
      'one',
    );
    expect([mirrored.ciLow, mirrored.ciHigh]).toEqual([-Number(once.ciHigh), -Number(once.ciLow)]);
    expect((await bootstrap(deltas, 'two')).ciLow).not.toBe(once.ciLow);
  });

  test('covers the true mean about 95 % of the time', async () => {
    const normal = normals(7);
    let covered = 0;
    const rounds = 150;
    for (let round = 0; round < rounds; round += 1) {
      const deltas = Array.from({ length: 60 }, () => 0.5 + normal());
      const { ciLow, ciHigh } = await bootstrap(deltas, `round ${round}`);
      if (Number(ciLow) <= 0.5 && 0.5 <= Number(ciHigh)) covered += 1;
    }
    expect(covered / rounds).toBeGreaterThan(0.89);
    expect(covered / rounds).toBeLessThan(0.99);
  });

  test('of 100,000 differences is fast, yields to the event loop, and has the theoretical width', async () => {
    const normal = normals(3);
    const deltas = Float64Array.from({ length: 100_000 }, () => 2 + normal());
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    const started = performance.now();
    const { meanDelta, ciLow, ciHigh } = await pairedBootstrap(deltas, 'large');
    expect(performance.now() - started).toBeLessThan(20_000);
    clearInterval(others);
    expect(turns).toBeGreaterThan(10);
    expect(meanDelta).toBeCloseTo(2, 1);
    const halfWidth = 1.96 / Math.sqrt(100_000);
    expect(Number(ciHigh) - Number(meanDelta)).toBeCloseTo(halfWidth, 3);
    expect(Number(meanDelta) - Number(ciLow)).toBeCloseTo(halfWidth, 3);
  });
});
