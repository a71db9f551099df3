/** The ends of a 95 % interval; null where it cannot be told. */
export type Interval95 = readonly [low: number, high: number] | null;

/** The 97.5th percentile of the normal distribution. */
const z = 1.959963984540054;

/**
 * The score interval of a share (Wilson, "Probable inference, the law of succession, and statistical inference", 1927); null of nothing.
 *
 * @param count of those with the mark, of `n`
 */
export function wilsonInterval(count: number, n: number): Interval95 {
  if (n === 0) return null;
  const share = count / n;
  const centre = share + (z * z) / (2 * n);
  const reach = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [Math.max(0, (centre - reach) / scale), Math.min(1, (centre + reach) / scale)];
}

/** The normal interval of a mean; null below two values. @param variance of the sample, over n − 1 */
export function meanInterval(mean: number, variance: number, n: number): Interval95 {
  if (n < 2) return null;
  const reach = z * Math.sqrt(variance / n);
  return [mean - reach, mean + reach];
}
