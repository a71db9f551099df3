import { createHash } from 'node:crypto';

/** The state of the sfc32 generator: a, b, c and the counter. */
export type Generator = Int32Array;

/** A generator seeded with the SHA-256 of a text. */
export function generatorOf(seed: string): Generator {
  const hash = createHash('sha256').update(seed).digest();
  return Int32Array.of(hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12));
}

/** Fills `means` with means of resamples of as many values as there are, with replacement. The generator is inlined: calls to it would take half of the time. */
export function resampleMeans(values: Float64Array, generator: Generator, means: Float64Array): void {
  const n = values.length;
  const scale = n / 4_294_967_296;
  let [a = 0, b = 0, c = 0, counter = 0] = generator;
  for (let resample = 0; resample < means.length; resample += 1) {
    let sum = 0;
    for (let draw = 0; draw < n; draw += 1) {
      const random = (a + b + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + random) | 0;
      sum += values[((random >>> 0) * scale) | 0] ?? 0;
    }
    means[resample] = sum / n;
  }
  generator.set([a, b, c, counter]);
}

/**
 * The percentile interval of a statistic: the ends are the points of the sorted resamples that leave (1 - confidence) / 2 outside on each side. The same rank
 * from both ends, so that exchanging the sides of a comparison mirrors the interval.
 *
 * @param resamples the statistic of each resample; sorted by this
 */
export function percentileInterval(resamples: Float64Array, confidence: number): { low: number; high: number } {
  resamples.sort();
  const low = Math.floor(((1 - confidence) / 2) * (resamples.length - 1) + 1e-9);
  return { low: resamples[low] ?? Number.NaN, high: resamples[resamples.length - 1 - low] ?? Number.NaN };
}
