const dayTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const withYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const utcDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A moment in the viewer's zone; the year is left out of this year's. */
export function formatMoment(iso: string, nowMs = Date.now()): string {
  const moment = new Date(iso);
  return (moment.getFullYear() === new Date(nowMs).getFullYear() ? dayTime : withYear).format(moment);
}

/** A day in the viewer's zone. */
export function formatDate(iso: string): string {
  return date.format(new Date(iso));
}

/** A UTC day (`YYYY-MM-DD`) as the service counts them, for an axis. */
export function formatUtcDay(day: string): string {
  return utcDay.format(new Date(`${day}T00:00:00Z`));
}

/** The exact moment in UTC, for a tooltip. */
export function formatUtc(iso: string): string {
  return `${iso.replace('T', ' ').replace('Z', '')} UTC`;
}

const steps = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** How long ago: `2 min. ago`. */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  let amount = (Date.parse(iso) - nowMs) / 1000;
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return relative.format(Math.round(amount), 'year');
}
