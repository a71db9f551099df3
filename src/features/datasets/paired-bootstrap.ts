import { setImmediate as turn } from 'node:timers/promises';
import { exact, generatorOf, percentileInterval, resampleMeans } from '../../platform/statistics/index.ts';

/** The mean of paired differences with its 95 % interval; all null without differences. */
export interface PairedInterval {
  meanDelta: number | null;
  ciLow: number | null;
  ciHigh: number | null;
  n: number;
}

const confidence = 0.95;
const maxResamples = 10_000;
const leastResamples = 1_000;
/** Maximum draws for one interval: about 1 s. */
const maxDraws = 100_000_000;
/** The part of the largest difference that rounding may change in a mean; 2e-17 was measured over 100,000 differences. */
const rounding = 1e-14;
/** Draws between yields to the event loop: some milliseconds. */
const drawsOfTurn = 1_000_000;

/**
 * The 95 % percentile interval of the mean by a paired bootstrap: each resample draws as many differences as there are, with replacement;
 * the interval ends are the 2.5 % and 97.5 % points of the sorted resample means. Uses 10,000 resamples up to 10,000 differences, fewer
 * above, 1,000 from 100,000 on. The interval of a single difference is that difference. A mean that rounding alone moves from 0 is 0.
 *
 * @param deltas b - a of each pair
 * @param seed the same seed and differences give the same interval
 */
export async function pairedBootstrap(deltas: Float64Array, seed: string): Promise<PairedInterval> {
  const n = deltas.length;
  if (n === 0) return { meanDelta: null, ciLow: null, ciHigh: null, n };
  const meanDelta = settled(meanOf(deltas), deltas);
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
  const { low, high } = percentileInterval(means, confidence);
  return { meanDelta, ciLow: settled(low, deltas), ciHigh: settled(high, deltas), n };
}

/** Rounds a mean to 15 digits, and to 0 where the rounding of its differences alone can make it that large. */
function settled(mean: number, deltas: Float64Array): number {
  const largest = deltas.reduce((most, delta) => Math.max(most, Math.abs(delta)), 0);
  return Math.abs(mean) <= rounding * largest ? 0 : exact(mean);
}

function meanOf(deltas: Float64Array): number {
  let sum = 0;
  for (const delta of deltas) sum += delta;
  return sum / deltas.length;
}
