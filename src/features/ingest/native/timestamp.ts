import { minuteMs } from '../../../contract/durations.ts';

const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/;

/**
 * The nanoseconds since the epoch of an ISO 8601 timestamp with a zone; fractions of a second are kept to the nanosecond.
 * null for a moment that does not exist, such as 30 February. (`Date.parse` is four times slower and rolls over into March.)
 */
export function nanosecondsOf(timestamp: string): bigint | null {
  const parts = pattern.exec(timestamp);
  if (!parts) return null;
  const at = (index: number) => Number(parts[index] ?? 0);
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = [
    at(1),
    at(2),
    at(3),
    at(4),
    at(5),
    at(6),
    at(9),
    at(10),
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const offset = (zoneHour * 60 + zoneMinute) * minuteMs * (parts[8] === '-' ? -1 : 1);
  const ms = Date.UTC(year, month - 1, day, hour, minute, second) - offset;
  return BigInt(ms) * 1_000_000n + BigInt((parts[7] ?? '').padEnd(9, '0'));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
