import type { RangeName } from './api/parts.ts';
import { formatHour, formatUtcDay } from './format/time-format.ts';
import { dayMs, hourMs, minuteMs } from '../../src/contract/durations.ts';

/** Ranges that count back from now, and days of the viewer's time zone. */
export const relativeRanges = ['1h', '24h', '7d', '30d', '90d'] as const;
export const dayRanges = ['today', 'yesterday'] as const;
const rangeChoices = [...relativeRanges, ...dayRanges];
export type RangeChoice = (typeof rangeChoices)[number];

/** The time range in the URL of a page. */
export interface RangeSearch {
  range?: RangeChoice | undefined;
  /** ISO 8601; instead of `range`. */
  from?: string | undefined;
  to?: string | undefined;
  /** What the URL asked for, if it was no time range: shown by the picker until another range is chosen. */
  unknownRange?: string | undefined;
}

/** The time range, and the environments, of a page of figures. */
export interface FiguresSearch extends RangeSearch {
  /** Figures of spans of these alone; all by default. */
  environment?: string | readonly string[] | undefined;
}

/** The time range of a request. */
export interface RangeRequest {
  range?: RangeName;
  from?: string;
  to?: string;
}

/** The time range and environments of a request. */
export interface FiguresRequest extends RangeRequest {
  environment?: string[];
}

export const rangeLabels: Readonly<Record<RangeChoice, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  today: 'Today',
  yesterday: 'Yesterday',
};

const dayCounts = { '7d': 7, '30d': 30, '90d': 90 } as const;
const defaultRange = '30d';
/** Longer ranges have a row a day. */
const maxHourlyMs = 3 * dayMs;
/** Maximum rows of a chart. */
const maxBuckets = 400;

const isoOf = (ms: number) => new Date(ms).toISOString();
const floorTo = (ms: number, step: number) => Math.floor(ms / step) * step;
const isSet = (value: unknown) => value !== undefined && value !== '';

function instant(value: unknown): string | undefined {
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? isoOf(Date.parse(value)) : undefined;
}

/** Parses the time range of a URL. What cannot be read is returned as `unknownRange`, so that the page can say so. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const range = rangeChoices.find((known) => known === search['range']);
  if (range !== undefined) return { range };
  const from = instant(search['from']);
  const to = instant(search['to']);
  const isReversed = from !== undefined && to !== undefined && from >= to;
  const asked = [search['range'], search['from'], search['to']].filter(isSet).map(String);
  const isRead = !isReversed && !isSet(search['range']) && asked.length === Number(from !== undefined) + Number(to !== undefined);
  const unknown = isRead ? search['unknownRange'] : asked.join(' – ').slice(0, 60);
  return {
    ...(from === undefined || isReversed ? {} : { from }),
    ...(to === undefined || isReversed ? {} : { to }),
    ...(typeof unknown === 'string' && unknown !== '' ? { unknownRange: unknown } : {}),
  };
}

/** Maximum environments of a URL. */
const maxEnvironments = 20;

/** Parses the time range and the environments of a URL. */
export function readFigures(search: Record<string, unknown>): FiguresSearch {
  const named = [search['environment']].flat().filter((name) => typeof name === 'string' && name !== '') as string[];
  const environments = [...new Set(named)].slice(0, maxEnvironments);
  const [only] = environments;
  if (only === undefined) return readRange(search);
  return { ...readRange(search), environment: environments.length === 1 ? only : environments };
}

/** The environments of a page; none: all. */
export function environmentsOf({ environment }: FiguresSearch): readonly string[] {
  return environment === undefined ? [] : [environment].flat();
}

/** The time range for links to other pages. */
export function linkRange({ range, from, to }: RangeSearch): RangeSearch {
  if (range !== undefined) return { range };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The time range and environments for links to other pages. */
export function linkFigures({ environment, ...range }: FiguresSearch): FiguresSearch {
  return { ...linkRange(range), ...(environment === undefined ? {} : { environment }) };
}

/** The start of a day in the viewer's time zone, epoch milliseconds. @param daysAgo 0: the day of `nowMs` */
function localDay(nowMs: number, daysAgo: number): number {
  const day = new Date(nowMs);
  // The clock may change within a day, so days are not subtracted as hours.
  day.setDate(day.getDate() - daysAgo);
  return day.setHours(0, 0, 0, 0);
}

/**
 * The range of requests. An hour counts back from the start of the current minute, for stable query keys; 24 hours are the current one and the 23
 * before it, which are the rows of a chart.
 */
export function rangeRequest({ range, from, to }: RangeSearch, nowMs: number): RangeRequest {
  if (range === '1h') return { from: isoOf(floorTo(nowMs, minuteMs) - hourMs) };
  if (range === '24h') return { from: isoOf(floorTo(nowMs, hourMs) - dayMs + hourMs) };
  if (range === 'today') return { from: isoOf(localDay(nowMs, 0)) };
  if (range === 'yesterday') return { from: isoOf(localDay(nowMs, 1)), to: isoOf(localDay(nowMs, 0) - 1) };
  if (range !== undefined) return { range };
  if (from === undefined && to === undefined) return { range: defaultRange };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The first instant of the range, epoch milliseconds; null for a custom range without a start. */
export function rangeStart(search: RangeSearch, nowMs: number): number | null {
  const { range, from } = rangeRequest(search, nowMs);
  if (range === undefined) return from === undefined ? null : Date.parse(from);
  return floorTo(nowMs, dayMs) - (dayCounts[range] - 1) * dayMs;
}

/** The last instant of the range, epoch milliseconds. */
function rangeEnd(search: RangeSearch, nowMs: number): number {
  const { to } = rangeRequest(search, nowMs);
  return to === undefined ? nowMs : Math.min(nowMs, Date.parse(to));
}

/** Whether the range is custom: neither a named one nor the default. */
export function isCustomRange({ range, from, to }: RangeSearch): boolean {
  return range === undefined && (from !== undefined || to !== undefined);
}

/** The selected choice of a picker; null for a custom range. */
export function chosenRange(search: RangeSearch): RangeChoice | null {
  return isCustomRange(search) ? null : (search.range ?? defaultRange);
}

/** The length of the rows of a chart over time. */
export type Interval = 'hour' | 'day';

/** Hours for up to three days, days for longer ranges. */
export function intervalOf(search: RangeSearch, nowMs: number): Interval {
  const startMs = rangeStart(search, nowMs);
  const endMs = rangeEnd(search, nowMs);
  return startMs !== null && endMs - startMs <= maxHourlyMs ? 'hour' : 'day';
}

/** The range and environments of requests for figures. */
export function figuresRequest(search: FiguresSearch, nowMs: number): FiguresRequest {
  const environments = environmentsOf(search);
  return { ...rangeRequest(search, nowMs), ...(environments.length === 0 ? {} : { environment: [...environments] }) };
}

/** The range and environments of requests for charts over time. */
export function timelineRequest(search: FiguresSearch, nowMs: number): FiguresRequest & { interval?: Interval } {
  return { ...figuresRequest(search, nowMs), ...(intervalOf(search, nowMs) === 'hour' ? { interval: 'hour' } : {}) };
}

/** The rows of a chart over time. */
export interface Timeline {
  interval: Interval;
  /** Names of the rows as in responses: `YYYY-MM-DD`, or the start of an hour. */
  starts: readonly string[];
  /** Name of the axis, and the labels of the rows. */
  axis: string;
  labels: readonly string[];
  /** The bounds of the range, epoch milliseconds. */
  startMs?: number | undefined;
  endMs?: number | undefined;
  /** The last row has not ended yet. */
  unfinished?: boolean;
}

/**
 * The rows of a chart over the whole range, also those without data.
 *
 * @param firstRow the earliest row with data, where a custom range without a start begins
 * @param interval the length of a row, by default by the length of the range
 */
export function timelineOf(
  search: RangeSearch,
  nowMs: number,
  firstRow: string | undefined,
  interval: Interval = intervalOf(search, nowMs),
): Timeline {
  const step = interval === 'hour' ? hourMs : dayMs;
  const { to } = rangeRequest(search, nowMs);
  const lastMs = floorTo(rangeEnd(search, nowMs), step);
  const startMs = rangeStart(search, nowMs);
  const firstMs = startMs ?? (firstRow === undefined ? lastMs : Date.parse(firstRow));
  const count = Math.min(maxBuckets, Math.max(1, (lastMs - floorTo(firstMs, step)) / step + 1));
  const starts = Array.from({ length: count }, (_, index) => {
    const iso = isoOf(lastMs - (count - 1 - index) * step);
    return interval === 'hour' ? iso : iso.slice(0, 10);
  });
  return {
    interval,
    starts,
    axis: interval === 'hour' ? 'Hour' : 'Day (UTC)',
    labels: starts.map(interval === 'hour' ? formatHour : formatUtcDay),
    startMs: startMs ?? undefined,
    endMs: to === undefined ? undefined : Date.parse(to),
    unfinished: lastMs + step > nowMs,
  };
}

/** The time range of one row of a chart, within the range of the page, and the environments of the page. */
export function rowRange({ environment }: FiguresSearch, { interval, startMs, endMs }: Timeline, start: string): FiguresSearch {
  const rowMs = Date.parse(start);
  const rowEndMs = rowMs + (interval === 'hour' ? hourMs : dayMs) - 1;
  const fromMs = Math.max(rowMs, startMs ?? rowMs);
  const toMs = Math.min(rowEndMs, endMs ?? rowEndMs);
  // A range has a length.
  return linkFigures({ from: isoOf(fromMs), to: isoOf(Math.max(toMs, fromMs + 1)), environment });
}
