import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** The mean of paired differences with its 95 % interval; all null without any. */
export interface PairedInterval {
  meanDelta: number | null;
  ciLow: number | null;
  ciHigh: number | null;
  n: number;
}

const mostResamples = 10_000;
const leastResamples = 1_000;
/** What one interval may cost: about a second. */
const mostDraws = 100_000_000;
/** Draws after which other requests have their turn: some milliseconds. */
const drawsOfTurn = 1_000_000;

/**
 * The 95 % percentile interval of the mean by a paired bootstrap: the differences are drawn anew, with replacement, as many as there are,
 * again and again, and the means that lie 2.5 % from either end of the sorted means are the interval. 10,000 resamples up to 10,000
 * differences; for more of them fewer, 1,000 from 100,000 on. One difference is its own interval, which says nothing.
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
  const resamples = Math.max(leastResamples, Math.min(mostResamples, Math.floor(mostDraws / n)));
  const generator = generatorOf(seed);
  const means = new Float64Array(resamples);
  // As many resamples at once as one turn has room for, one at least.
  const ofTurn = Math.max(1, Math.floor(drawsOfTurn / n));
  for (let resample = 0; resample < resamples; resample += ofTurn) {
    resampleMeans(deltas, generator, means.subarray(resample, resample + ofTurn));
    await turn();
  }
  means.sort();
  // The same distance from both ends: exchanging a and b mirrors the interval.
  const low = Math.floor(0.025 * (resamples - 1));
  return { meanDelta, ciLow: exact(means[low] ?? meanDelta), ciHigh: exact(means[resamples - 1 - low] ?? meanDelta), n };
}

function meanOf(deltas: Float64Array): number {
  let sum = 0;
  for (const delta of deltas) sum += delta;
  return exact(sum / deltas.length);
}

/** Without the noise of binary fractions. */
function exact(value: number): number {
  return Number(value.toPrecision(15));
}

/** The state of the generator sfc32: a, b, c and its counter. */
type Generator = Int32Array;

/** A generator that begins with the SHA-256 of a text. */
function generatorOf(seed: string): Generator {
  const hash = createHash('sha256').update(seed).digest();
  return Int32Array.of(hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12));
}

/** Fills `means` with means of resamples. The generator is written out in it, since half of the time would go into calling it. */
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
