import { classesOf, generatorOf, percentileRank, Resampler } from '../../../platform/statistics/index.ts';

/** Latencies of items: those of item i are `values[offsets[i]]` to `values[offsets[i + 1] - 1]`. Milliseconds. */
export interface ItemLatencies {
  values: Float64Array;
  offsets: Int32Array;
}

/** Resamples of a bootstrap. */
const resamples = 10_000;
/** The share of the latencies below the compared one. */
export const latencyQuantile = 0.95;

/** The means of resamples of the values. */
export function meansOf(values: Float64Array, seed: string): Float64Array {
  const { firsts, ...classes } = classesOf(values);
  const figures = Float64Array.from(firsts, (first) => values[first] ?? 0);
  return resampled(classes, seed, (counts) => {
    let sum = 0;
    for (let one = 0; one < counts.length; one += 1) sum += (counts[one] ?? 0) * (figures[one] ?? 0);
    return sum / values.length;
  });
}

/** The relative increases of the mean cost of an item in resamples of the items. */
export function costIncreases(then: Float64Array, now: Float64Array, seed: string): Float64Array {
  const { firsts, ...classes } = classesOf(Array.from(then, (cost, item) => `${cost} ${now[item]}`));
  const [figuresThen, figuresNow] = [then, now].map((costs) => Float64Array.from(firsts, (first) => costs[first] ?? 0));
  if (!figuresThen || !figuresNow) return new Float64Array();
  return resampled(classes, seed, (counts) => {
    let [sumThen, sumNow] = [0, 0];
    for (let one = 0; one < counts.length; one += 1) {
      const drawn = counts[one] ?? 0;
      sumThen += drawn * (figuresThen[one] ?? 0);
      sumNow += drawn * (figuresNow[one] ?? 0);
    }
    return ratio(sumThen, sumNow);
  });
}

/** The relative increases of the 95th percentile of the latencies in resamples of the items. */
export function latencyIncreases(then: ItemLatencies, now: ItemLatencies, seed: string): Float64Array {
  const sides = [withinReach(then), withinReach(now)];
  const items = then.offsets.length - 1;
  const { firsts, ...classes } = classesOf(
    Array.from({ length: items }, (_, item) => sides.map((side) => latenciesOf(side, item).toSorted().join()).join(' ')),
  );
  const [sortedThen, sortedNow] = sides.map((side) => sortedLatencies(Array.from(firsts, (first) => latenciesOf(side, first))));
  if (!sortedThen || !sortedNow) return new Float64Array();
  return resampled(classes, seed, (counts) =>
    latencyRatio(resampledQuantile(sortedThen, counts), resampledQuantile(sortedNow, counts)),
  );
}

/** The statistic of each resample, given how often it draws each class. */
function resampled(
  classes: ConstructorParameters<typeof Resampler>[0],
  seed: string,
  statistic: (counts: Int32Array) => number,
): Float64Array {
  const resampler = new Resampler(classes, generatorOf(seed));
  const counts = new Int32Array(classes.sizes.length);
  return new Float64Array(resamples).map(() => {
    resampler.draw(counts);
    return statistic(counts);
  });
}

function ratio(then: number, now: number): number {
  if (then === 0) return now === 0 ? 0 : Infinity;
  return (now - then) / then;
}

/** null: without latencies. A candidate that never answered is not faster. */
function latencyRatio(then: number | null, now: number | null): number {
  return now === null && then !== null ? Infinity : ratio(then ?? 0, now ?? 0);
}

function latenciesOf({ values, offsets }: ItemLatencies, item: number): Float64Array {
  return values.subarray(offsets[item] ?? 0, offsets[item + 1] ?? 0);
}

/**
 * The latencies, of which those so high or low that the quantile of no resample is among them are replaced by the nearest that are not, so that many items
 * are equal. By Hoeffding's inequality a quantile is further than 5 r √n ranks from that of the items, of r latencies each, with a chance of 4 · 10⁻²².
 */
function withinReach({ values, offsets }: ItemLatencies): ItemLatencies {
  const items = offsets.length - 1;
  let most = 0;
  for (let item = 0; item < items; item += 1) most = Math.max(most, (offsets[item + 1] ?? 0) - (offsets[item] ?? 0));
  const sorted = values.toSorted();
  const rank = latencyQuantile * (values.length - 1);
  const reach = 5 * most * Math.sqrt(items) + 2;
  const low = sorted[Math.max(0, Math.floor(rank - reach))] ?? 0;
  const high = sorted[Math.min(values.length - 1, Math.ceil(rank + reach))] ?? 0;
  return { values: values.map((value) => Math.min(Math.max(value, low), high)), offsets };
}

/** Latencies in descending order with their classes, and how many latencies an item of each class has. */
interface SortedLatencies {
  values: Float64Array;
  classes: Int32Array;
  lengths: Int32Array;
}

function sortedLatencies(ofClasses: ReadonlyArray<Float64Array>): SortedLatencies {
  const all = ofClasses.flatMap((values, one) => Array.from(values, (value) => ({ value, one })));
  all.sort((left, right) => right.value - left.value);
  return {
    values: Float64Array.from(all, ({ value }) => value),
    classes: Int32Array.from(all, ({ one }) => one),
    lengths: Int32Array.from(ofClasses, ({ length }) => length),
  };
}

/** The quantile of the latencies of the drawn items; null without any. Walks from the largest latency, since few are above a high quantile. */
function resampledQuantile({ values, classes, lengths }: SortedLatencies, counts: Int32Array): number | null {
  let total = 0;
  for (let one = 0; one < lengths.length; one += 1) total += (counts[one] ?? 0) * (lengths[one] ?? 0);
  let above = total - 1 - percentileRank(total, latencyQuantile);
  for (let at = 0; at < values.length; at += 1) {
    above -= counts[classes[at] ?? 0] ?? 0;
    if (above < 0) return values[at] ?? null;
  }
  return null;
}
