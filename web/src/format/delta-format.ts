const twoSignificant = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const twoDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** An absolute difference: two decimals, or two significant digits below 0.01. */
function formatDistance(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  return size < 0.01 ? twoSignificant.format(size) : twoDecimals.format(size);
}

/** A signed difference: `+0.08`, `−0.08`, `0`. */
export function formatDelta(value: number): string {
  if (value === 0) return '0';
  return `${value < 0 ? '−' : '+'}${formatDistance(value)}`;
}
