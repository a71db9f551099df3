import type { RangeName } from './api/wire.ts';

export const modelRanges = ['7d', '30d', '90d'] as const satisfies readonly RangeName[];
export const traceRanges = ['1h', '24h', ...modelRanges] as const;
export type RangeChoice = (typeof traceRanges)[number];

/** The time range in the URL of a page. */
export interface RangeSearch {
  range?: RangeChoice | undefined;
  /** ISO 8601; instead of `range`. */
  from?: string | undefined;
  to?: string | undefined;
}

export const rangeLabels: Readonly<Record<RangeChoice, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

const hourMs = 3_600_000;
const minuteMs = 60_000;
const defaultRange = '30d';

function instant(value: unknown): string | undefined {
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? new Date(value).toISOString() : undefined;
}

/** Parses the time range of a URL; invalid values are dropped. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const range = traceRanges.find((known) => known === search['range']);
  if (range !== undefined) return { range };
  const from = instant(search['from']);
  const to = instant(search['to']);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Like {@link readRange}, for pages that use whole days: other ranges are converted, so that the URL names the range shown. */
export function readDayRange(search: Record<string, unknown>): RangeSearch {
  const read = readRange(search);
  return Object.keys(read).length === 0 ? {} : { range: modelRange(read) };
}

/** The range for endpoints that use whole days. */
export function modelRange({ range }: RangeSearch): RangeName {
  return range === '1h' || range === '24h' ? '7d' : (range ?? defaultRange);
}

/** The number of days of {@link modelRange}, including today. */
export function rangeDayCount(search: RangeSearch): number {
  return Number.parseInt(modelRange(search), 10);
}

/** The range for the lists of traces and sessions. Hours count back from the start of the current minute, for stable query keys. */
export function listRange({ range, from, to }: RangeSearch, nowMs: number): { range?: RangeName; from?: string; to?: string } {
  if (range === '1h' || range === '24h') {
    const hours = range === '1h' ? 1 : 24;
    return { from: new Date(Math.floor(nowMs / minuteMs) * minuteMs - hours * hourMs).toISOString() };
  }
  if (range !== undefined) return { range };
  if (from === undefined && to === undefined) return { range: defaultRange };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Whether the range is custom: neither a named one nor the default. */
export function isCustomRange({ range, from, to }: RangeSearch): boolean {
  return range === undefined && (from !== undefined || to !== undefined);
}

/** The selected choice of a picker; null for a custom range. */
export function chosenRange(search: RangeSearch, available: readonly RangeChoice[]): RangeChoice | null {
  if (isCustomRange(search)) return null;
  const chosen = search.range ?? defaultRange;
  return available.includes(chosen) ? chosen : modelRange(search);
}
