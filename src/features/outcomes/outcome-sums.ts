/** Sums over a group of outcomes, as the engine returns them. */
export interface OutcomeSums {
  outcomes: number;
  succeeded: number;
  failed: number;
  /** Anything where the magnitude is null. */
  amount: number | null;
  /** Sum of the absolute values; null: beyond the range of a number. */
  magnitude: number | null;
  /** In units of 2^64. */
  scaled: number;
}

/** Significant digits of a sum. */
const digits = 15;

/**
 * The sum of the values of a group, rounded to 15 digits of what was summed (docs/semantics.md, "Sums and rounding"): values have signs, so a sum
 * can be far below its parts. A sum that has no representation is the largest number.
 */
export function valueOf({ amount, magnitude, scaled }: OutcomeSums): number {
  if (amount === null || magnitude === null) return bounded(scaled * 2 ** 64);
  if (magnitude === 0) return 0;
  const decimals = digits - 1 - Math.floor(Math.log10(magnitude));
  const rounded = decimals >= 0 && decimals <= 100 ? Number(amount.toFixed(decimals)) : Number(amount.toPrecision(digits));
  // Not -0, which an oracle and a reader would tell from 0.
  return bounded(rounded) + 0;
}

function bounded(value: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));
}
