import { dayMs, hourMs, minuteMs } from '../../../../src/contract/durations.ts';

const units: Readonly<Record<string, number>> = { d: dayMs, h: hourMs, m: minuteMs };

/** The length of a range such as `14d`, `6h` or `30m` in milliseconds; null for another text. */
export function durationMs(range: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([dhm])$/.exec(range) ?? [];
  const unitMs = units[unit];
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs;
}
