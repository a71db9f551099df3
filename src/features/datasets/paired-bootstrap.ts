import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** The mean of paired differences with its 95 % interval; all null without differences. */
export interface PairedInterval {
  meanDelta: number | null;
  ciLow: number | null;
  ciHigh: number | null;
  n: number;
}

const maxResamples = 10_000;
const leastResamples = 1_000;
/** Maximum draws for one interval: about 1 s. */
const maxDraws = 100_000_000;
/** Draws between yields to the event loop: some milliseconds. */
const drawsOfTurn = 1_000_000;

/**
 * The 95 % percentile interval of the mean by a paired bootstrap: each resample draws as many differences as there are, with replacement;
 * the interval ends are the 2.5 % and 97.5 % points of the sorted resample means. Uses 10,000 resamples up to 10,000 differences, fewer
 * above, 1,000 from 100,000 on. The interval of a single difference is that difference.
 *
 * @param deltas b - a of each pair
 * @param seed the same seed and differences give the same interval
 */
export async function pairedBootstrap(deltas: Float64Array, seed: string): Promise<PairedInterval> {
  const n = deltas.length;
  if (n === 0) return { meanDelta: null, ciLow: null, ciHigh: null, n };
  const meanDelta = meanOf(deltas);
  const first = deltas[0];
  if (deltas.every((delta) => delta === first)) return { meanDelta, ciLow: meanDelta, ciHigh: meanDelta, n };
  const resamples = Math.max(leastResamples, Math.min(maxResamples, Math.floor(maxDraws / n)));
  const generator = generatorOf(seed);
  const means = new Float64Array(resamples);
  // Resamples between two yields, at least one.
  const ofTurn = Math.max(1, Math.floor(drawsOfTurn / n));
  for (let resample = 0; resample < resamples; resample += ofTurn) {
    resampleMeans(deltas, generator, means.subarray(resample, resample + ofTurn));
    await turn();
  }
  means.sort();
  // The same rank from both ends, so that exchanging a and b mirrors the interval.
  const low = Math.floor(0.025 * (resamples - 1));
  return { meanDelta, ciLow: exact(means[low] ?? meanDelta), ciHigh: exact(means[resamples - 1 - low] ?? meanDelta), n };
}

function meanOf(deltas: Float64Array): number {
  let sum = 0;
  for (const delta of deltas) sum += delta;
  return exact(sum / deltas.length);
}

/** Rounds away binary rounding errors. */
function exact(value: number): number {
  return Number(value.toPrecision(15));
}

/** The state of the sfc32 generator: a, b, c and the counter. */
type Generator = Int32Array;

/** A generator seeded with the SHA-256 of a text. */
function generatorOf(seed: string): Generator {
  const hash = createHash('sha256').update(seed).digest();
  return Int32Array.of(hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12));
}

/** Fills `means` with means of resamples. The generator is inlined: calls to it would take half of the time. */
function resampleMeans(deltas: Float64Array, generator: Generator, means: Float64Array): void {
  const n = deltas.length;
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
      sum += deltas[((random >>> 0) * scale) | 0] ?? 0;
    }
    means[resample] = sum / n;
  }
  generator.set([a, b, c, counter]);
}
