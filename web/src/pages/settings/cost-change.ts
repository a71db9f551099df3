import { formatUsd } from '../../format/number-format.ts';

/** What a repricing changes in all: `+$0.0011`, `−$12.34`, or `$0`. Sums alone can look alike where they have as many digits as are shown. */
export function costChange(costBefore: number, costAfter: number): string {
  // Sums of decimals differ by less than a billionth where they are the same.
  const change = Math.round((costAfter - costBefore) * 1e9) / 1e9;
  if (change === 0) return '$0';
  return `${change < 0 ? '−' : '+'}${formatUsd(Math.abs(change))}`;
}
