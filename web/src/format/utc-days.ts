const dayMs = 86_400_000;

/** The last `count` UTC days including today, oldest first, as `YYYY-MM-DD`. */
export function utcDays(count: number, nowMs: number): string[] {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return Array.from({ length: count }, (_, index) => new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10));
}
