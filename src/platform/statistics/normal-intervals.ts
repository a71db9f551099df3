/** The ends of a 95 % interval. */
export interface Ends {
  low: number;
  high: number;
}

/** The 97.5th percentile of the normal distribution. */
const z = 1.959_963_984_540_054;

/**
 * The score interval of a share (E. B. Wilson, Journal of the American Statistical Association 22, 1927, 209-212).
 *
 * @param total above 0
 */
export function wilsonInterval({ hits, total }: { hits: number; total: number }): Ends {
  const share = hits / total;
  const middle = share + z ** 2 / (2 * total);
  const half = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  // Rounding must not move an end past the share itself.
  return {
    low: Math.min(share, Math.max(0, (middle - half) / scale)),
    high: Math.max(share, Math.min(1, (middle + half) / scale)),
  };
}

/** The normal interval of a mean. @param variance of the sample, with the divisor n − 1 @param count at least 2 */
export function meanInterval({ mean, variance, count }: { mean: number; variance: number; count: number }): Ends {
  const half = z * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}
