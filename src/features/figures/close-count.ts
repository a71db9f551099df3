/** Maximum traces of a sample. A sample has at least half as many: its standard error is under 0.2 %. */
const sampleSize = 600_000;

/**
 * Results of `uniqCombined64` with 2^20 cells that are precise enough for docs/semantics.md, "Trace count": exact, or with a measured standard error of 0.1 %.
 * Between 30,000 and 55,000 the true count may have to be exact. Between 2 and 7 million the estimate may be 2 % too high.
 */
const close: ReadonlyArray<{ from: number; to: number }> = [
  { from: 0, to: 30_000 },
  { from: 55_000, to: 2_000_000 },
  { from: 7_000_000, to: Number.POSITIVE_INFINITY },
];

/** Whether `count`, a result of `uniqCombined64` with 2^20 cells, is exact up to 50,000, else within 1 %. */
export function closeCount(count: number): boolean {
  return close.some(({ from, to }) => count >= from && count < to);
}

/** A mask of the low bits of hashes that reduces `count` distinct ones to a sample; the number of the sample times (mask + 1) is within 1 %. */
export function sampleMask(count: number): number {
  return count <= sampleSize ? 0 : 2 ** Math.ceil(Math.log2(count / sampleSize)) - 1;
}
