/** The second that was written last, and its text without fractions. */
let lastSecond = NaN;
let lastText = '';

/** ISO 8601 to the microsecond. */
export function timestampOf(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  const micros = Math.floor((ms - second * 1_000) * 1_000);
  // Seven digits: the first one keeps the zeros of the others.
  const text = String(1_000_000 + micros);
  return `${lastText}${text.endsWith('000') ? text.slice(1, 4) : text.slice(1)}Z`;
}
