/** Milliseconds that a header `Retry-After` asks to wait, in seconds or as a date; 0 for a date that has passed. Undefined when it is missing or malformed. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // `Date.parse` takes a number such as -1 for a year.
  const ms = /^[A-Z]/i.test(value) ? Date.parse(value) - nowMs : Number.NaN;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
