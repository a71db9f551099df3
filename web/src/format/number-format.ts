const scales = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

// Making one of these takes longer than a hundred uses of it.
const bySignificant = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat('en', { maximumSignificantDigits: Math.max(1, digits), useGrouping: false }),
);
const exactNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 12 });
const wholeNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const twoDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most so many significant digits, without an exponent and without trailing zeros. */
function significant(value: number, digits: 1 | 2 | 3): string {
  return bySignificant[digits]?.format(value) ?? String(value);
}

/** A value with the prefix of its size: 1234 is `1.2 k`. What rounds up to the next prefix takes it. */
function scaled(value: number): string {
  const rounded = Number(value.toPrecision(3));
  for (const [scale, prefix] of scales) {
    if (Math.abs(rounded) < scale) continue;
    const part = rounded / scale;
    return `${significant(part, Math.abs(part) >= 10 ? 3 : 2)} ${prefix}`;
  }
  return significant(value, 3);
}

/** How many: `987`, `1.2 k`, `3.4 M`. */
export function formatCount(value: number): string {
  return scaled(value);
}

/** Every digit, for a tooltip: `1,234,567`. */
export function formatExact(value: number): string {
  return exactNumber.format(value);
}

/** Below it a sum is only said to be smaller: digits that have no room would be cut, and what is left would look like another sum. */
const leastUsd = 1e-7;
const leastPercent = 0.01;

/** US dollars as people read them: `< $0.0000001`, `$0.0042`, `$0.42`, `$12.34`, `$1,234`, `$1.2 M`. */
export function formatUsd(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size === 0) return '$0';
  if (size < leastUsd) return `${value < 0 ? '> −' : '< '}$0.0000001`;
  if (size < 0.0995) return `${sign}$${significant(size, 2)}`;
  if (size < 1000) return `${sign}$${size.toFixed(2)}`;
  if (size < 1e6) return `${sign}$${wholeNumber.format(size)}`;
  return `${sign}$${scaled(size)}`;
}

/** Milliseconds: `0.4 ms`, `840 ms`, `2.4 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : `${significant(ms, 1)} ms`;
  if (ms < 999.5) return `${significant(ms, ms < 10 ? 2 : 3)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${significant(seconds, seconds < 10 ? 2 : 3)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? '' : ` ${whole % 60} s`}`;
  const minutes = Math.round(whole / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`;
}

/** A fraction 0..1 as per cent: `1.2 %`, `0 %`, `100 %`, `< 0.01 %`. */
export function formatShare(fraction: number): string {
  const percent = fraction * 100;
  if (percent === 0) return '0 %';
  if (Math.abs(percent) < leastPercent) return percent < 0 ? '> −0.01 %' : '< 0.01 %';
  if (Math.abs(percent) < 0.1) return `${significant(percent, 1)} %`;
  // A rate that is not whole must not look whole.
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  return `${Math.abs(percent) >= 9.95 ? Math.round(percent) : Number(percent.toFixed(1))} %`;
}

/** A score as evaluators give them: two decimals at most. */
export function formatScore(value: number): string {
  return twoDecimals.format(value);
}

/** Bytes of text: `412 B`, `3.2 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${scaled(bytes)}B`;
}

/** `1 call`, `2 calls`; `what` is a word that takes an s. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** The same with every digit: `1,234 calls`. */
export function countedExactly(count: number, what: string): string {
  return `${formatExact(count)} ${what}${count === 1 ? '' : 's'}`;
}
