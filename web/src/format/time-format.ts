const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
/** `00:53` and `09:53` where the day has 24 hours, as locales write it and columns need it; `9:53 AM` where it has twice 12. */
const timeOptions = { hour: hourCycle === 'h23' || hourCycle === 'h24' ? '2-digit' : 'numeric', minute: '2-digit' } as const;
const dayTimeOptions = { day: 'numeric', month: 'short', ...timeOptions } as const;
const dayTime = new Intl.DateTimeFormat(undefined, dayTimeOptions);
const withYear = new Intl.DateTimeFormat(undefined, { ...dayTimeOptions, year: 'numeric' });
const withZone = new Intl.DateTimeFormat(undefined, {
  ...dayTimeOptions,
  second: '2-digit',
  year: 'numeric',
  timeZoneName: 'short',
});
const timeOnly = new Intl.DateTimeFormat(undefined, timeOptions);
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const utcDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const utcDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A moment in the viewer's locale and time zone, to the minute. The current year is omitted. @param iso ISO 8601 */
export function formatMoment(iso: string, nowMs = Date.now()): string {
  const moment = new Date(iso);
  return (moment.getFullYear() === new Date(nowMs).getFullYear() ? dayTime : withYear).format(moment);
}

/** The time of day in the viewer's locale and time zone, below a heading with the date. */
export function formatTime(iso: string): string {
  return timeOnly.format(new Date(iso));
}

/** A date in the viewer's locale and time zone. */
export function formatDate(iso: string): string {
  return date.format(new Date(iso));
}

/** A UTC day (`YYYY-MM-DD`) with its year in the viewer's locale. */
export function formatUtcDate(day: string): string {
  return utcDate.format(new Date(`${day}T00:00:00Z`));
}

/** A UTC day (`YYYY-MM-DD`) in the viewer's locale, for a chart axis. */
export function formatUtcDay(day: string): string {
  return utcDay.format(new Date(`${day}T00:00:00Z`));
}

/** An hour of a chart axis in the viewer's locale and time zone. @param iso its start */
export function formatHour(iso: string): string {
  return dayTime.format(new Date(iso));
}

/** The moment with its time zone, and the same moment in UTC, for a tooltip. */
export function formatZoned(iso: string): string {
  return `${withZone.format(new Date(iso))} · ${iso.replace('T', ' ').replace('Z', '')} UTC`;
}

const steps = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** The time since a moment: `2m ago`. */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  let amount = (Date.parse(iso) - nowMs) / 1000;
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return relative.format(Math.round(amount), 'year');
}
