const twoSignificant = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const twoDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** How far two scores are from each other, without a sign: two decimals, and more only for what is smaller. */
export function formatDistance(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  return size < 0.01 ? twoSignificant.format(size) : twoDecimals.format(size);
}

/** A difference with its sign: `+0.08`, `−0.08`, `0`. */
export function formatDelta(value: number): string {
  if (value === 0) return '0';
  return `${value < 0 ? '−' : '+'}${formatDistance(value)}`;
}
