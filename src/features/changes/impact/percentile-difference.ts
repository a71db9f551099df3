import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import jstat from 'jstat';
import { percentileRank } from '../../../platform/statistics/index.ts';
import type { Interval } from './intervals.ts';

/** Durations by value, ascending. */
export interface Durations {
  /** Milliseconds. */
  values: readonly number[];
  /** How many calls have a value at most as long as that of the index. */
  upTo: readonly number[];
  count: number;
}

const resamples = 2_000;
const resamplesOfTurn = 100;

/** A percentile of at least one duration (docs/semantics.md, "Percentiles"). */
export function percentileOf(durations: Durations, q: number): number {
  return valueAt(durations, percentileRank(durations.count, q));
}

/**
 * The difference of two percentiles with the 95 % percentile interval of a bootstrap. A resample's value at a rank is drawn directly: the
 * position of an order statistic of n draws from n values follows a beta distribution (H. A. David, Order Statistics, 1970). Both have at
 * least 1 value.
 *
 * @param seed the same seed and durations give the same interval
 */
export async function percentileDifference(before: Durations, after: Durations, q: number, seed: string): Promise<Interval> {
  const differences = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    const [first, second] = uniforms(`${seed} ${index}`);
    differences[index] = resampled(after, q, second) - resampled(before, q, first);
    if (index % resamplesOfTurn === 0) await turn();
  }
  differences.sort();
  const low = Math.floor(0.025 * (resamples - 1));
  const delta = percentileOf(after, q) - percentileOf(before, q);
  return { delta, ciLow: differences[low] ?? delta, ciHigh: differences[resamples - 1 - low] ?? delta };
}

function resampled(durations: Durations, q: number, probability: number): number {
  const { count } = durations;
  const rank = percentileRank(count, q) + 1;
  const share = jstat.beta.inv(probability, rank, count - rank + 1);
  return valueAt(durations, Math.min(count - 1, Math.floor(share * count)));
}

function valueAt({ values, upTo }: Durations, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] ?? 0) > rank) high = middle;
    else low = middle + 1;
  }
  return values[low] ?? 0;
}

/** Two numbers of 0 to 1, exclusive. */
function uniforms(seed: string): [number, number] {
  const hash = createHash('sha256').update(seed).digest();
  return [(hash.readUIntBE(0, 6) + 0.5) / 2 ** 48, (hash.readUIntBE(6, 6) + 0.5) / 2 ** 48];
}
