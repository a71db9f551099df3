import { formatMoment } from '../format/time-format.ts';
import { dayMs } from '../../../src/contract/durations.ts';

/** The days that a list goes back. */
const listedDays = 90;
/** The width of a digit or letter, and of what is beside a text in a cell, in pixels. */
const letter = 7.5;
const padding = 20;

/**
 * The width of a column of moments of the last 90 days: locales need 13 to 24 letters for one.
 *
 * @param least the width that the title needs, pixels
 * @param nowMs epoch milliseconds
 */
export function momentWidth(least: number, nowMs = Date.now()): number {
  const lengths = Array.from({ length: listedDays + 1 }, (_, days) => lengthOf(formatMoment(isoOf(nowMs - days * dayMs), nowMs)));
  return Math.max(least, Math.ceil(Math.max(...lengths) * letter) + padding);
}

/** Half an hour before midnight in the time zone of the viewer: as many digits as a time of day has. */
function isoOf(ms: number): string {
  return new Date(new Date(ms).setHours(23, 30)).toISOString();
}

/** The length of a text in letters; those of Chinese, Japanese and Korean are twice as wide. */
function lengthOf(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + (/[\u1100-\uffef]/.test(one) ? 2 : 1), 0);
}
