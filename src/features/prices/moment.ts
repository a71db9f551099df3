import { dayMs } from '../../contract/durations.ts';

const isDay = (text: string) => !text.includes('T');

/** The first millisecond of a date or timestamp, since the epoch. */
export function startOfMoment(text: string): number {
  return Date.parse(text);
}

/** The millisecond after a date or timestamp. */
export function endOfMoment(text: string): number {
  return Date.parse(text) + (isDay(text) ? dayMs : 1);
}

/** A date as it is, a timestamp in UTC with milliseconds. */
export function normalMoment(text: string): string {
  return isDay(text) ? text : new Date(text).toISOString();
}
