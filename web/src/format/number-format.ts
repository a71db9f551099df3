// Constructing a formatter costs far more than using it.
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const bySignificant = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat('en', { maximumSignificantDigits: Math.max(1, digits), useGrouping: false }),
);
const exactNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 12 });
const twoDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most `digits` significant digits, without an exponent or trailing zeros. */
function significant(value: number, digits: 1 | 2 | 3): string {
  return bySignificant[digits]?.format(value) ?? String(value);
}

/** A count with at most three significant digits: `987`, `1.23K`, `11K`, `16.5M`. */
export function formatCount(value: number): string {
  return compact.format(value);
}

/** A number with all digits, for a tooltip: `1,234,567`. */
export function formatExact(value: number): string {
  return exactNumber.format(value);
}

/** Smaller amounts are shown as `<$0.0001`. */
const minUsd = 1e-4;
/** Smaller shares are shown as `<0.01%`. */
const minPercent = 0.01;

/** US dollars, with two decimals or none below $100 and three significant digits above: `<$0.0001`, `$0.0042`, `$0.42`, `$12.34`, `$1.23K`, `$16.5M`. */
export function formatUsd(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < minUsd) return value < 0 ? '>−$0.0001' : '<$0.0001';
  return formatUsdPrecise(value);
}

/** US dollars with two significant digits however small the amount is, for chart axes: `$0.00000042`. */
export function formatUsdPrecise(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size === 0) return '$0';
  if (size < 0.0995) return `${sign}$${significant(size, 2)}`;
  if (size < 9.995) return `${sign}$${size.toFixed(2)}`;
  if (size < 99.995) return `${sign}$${size.toFixed(2).replace(/\.00$/, '')}`;
  return `${sign}$${formatCount(size)}`;
}

/** Milliseconds as a duration: `0.4ms`, `840ms`, `2.4s`, `3m 12s`, `2h 5m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0ms' : `${significant(ms, 1)}ms`;
  if (ms < 999.5) return `${significant(ms, ms < 10 ? 2 : 3)}ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${significant(seconds, seconds < 10 ? 2 : 3)}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return twoUnits(whole, 60, 'm', 's');
  const minutes = Math.round(whole / 60);
  if (minutes < 48 * 60) return twoUnits(minutes, 60, 'h', 'm');
  return twoUnits(Math.round(minutes / 60), 24, 'd', 'h');
}

/** A whole number of small units as `3m 12s`; a remainder of 0 is omitted. */
function twoUnits(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)}${large}${rest === 0 ? '' : ` ${rest}${small}`}`;
}

/** A fraction 0..1 as a percentage: `1.2%`, `0%`, `100%`, `<0.01%`. */
export function formatShare(fraction: number): string {
  const percent = fraction * 100;
  if (percent === 0) return '0%';
  if (Math.abs(percent) < minPercent) return percent < 0 ? '>−0.01%' : '<0.01%';
  if (Math.abs(percent) < 0.1) return `${significant(percent, 1)}%`;
  // Do not round to 100%: a rate below it must not look complete.
  if (percent > 99.9 && percent < 100) return '>99.9%';
  return `${Math.abs(percent) >= 9.95 ? Math.round(percent) : Number(percent.toFixed(1))}%`;
}

/** A score with at most two decimals and three significant digits: `0.86`, `4`, `42.6`, `1.23K`. */
export function formatScore(value: number): string {
  return Math.abs(value) < 9.995 ? twoDecimals.format(value) : formatCount(value);
}

const byteUnits = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** A size in bytes with SI units: `412 B`, `3.2 kB`. */
export function formatBytes(bytes: number): string {
  const rounded = Number(bytes.toPrecision(3));
  for (const [size, unit] of byteUnits) {
    if (rounded < size) continue;
    return `${significant(rounded / size, rounded / size >= 10 ? 3 : 2)} ${unit}`;
  }
  return `${bytes} B`;
}

/** A compact count with its noun: `1 call`, `2 calls`. @param noun takes an s in the plural */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** An exact count with its noun: `1,234 calls`. @param noun takes an s in the plural */
export function countedExactly(count: number, noun: string): string {
  return `${formatExact(count)} ${noun}${count === 1 ? '' : 's'}`;
}
