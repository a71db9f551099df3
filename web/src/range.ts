import type { RangeName } from './api/wire.ts';

export const modelRanges = ['7d', '30d', '90d'] as const satisfies readonly RangeName[];
export const traceRanges = ['1h', '24h', ...modelRanges] as const;
export type RangeChoice = (typeof traceRanges)[number];

/** The time range of a page, as it stands in its URL. */
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

/** The time range of a URL's search; what makes no sense is left out. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const range = traceRanges.find((known) => known === search['range']);
  if (range !== undefined) return { range };
  const from = instant(search['from']);
  const to = instant(search['to']);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The same of a page that counts in whole days: the URL is to name the range that is shown, which another may have been carried along to. */
export function readDayRange(search: Record<string, unknown>): RangeSearch {
  const read = readRange(search);
  return Object.keys(read).length === 0 ? {} : { range: modelRange(read) };
}

/** The range that the model routes take: they count in whole days. */
export function modelRange({ range }: RangeSearch): RangeName {
  return range === '1h' || range === '24h' ? '7d' : (range ?? defaultRange);
}

/** How many days {@link modelRange} counts, today included. */
export function rangeDayCount(search: RangeSearch): number {
  return Number.parseInt(modelRange(search), 10);
}

/** What the lists of traces and sessions take. Hours are counted back from the last whole minute, so that a view stays the same for one. */
export function listRange({ range, from, to }: RangeSearch, nowMs: number): { range?: RangeName; from?: string; to?: string } {
  if (range === '1h' || range === '24h') {
    const hours = range === '1h' ? 1 : 24;
    return { from: new Date(Math.floor(nowMs / minuteMs) * minuteMs - hours * hourMs).toISOString() };
  }
  if (range !== undefined) return { range };
  if (from === undefined && to === undefined) return { range: defaultRange };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Whether the range is one of its own: neither a named one nor the default. */
export function isCustomRange({ range, from, to }: RangeSearch): boolean {
  return range === undefined && (from !== undefined || to !== undefined);
}

/** The choice that a picker shows; null for a range of its own. */
export function chosenRange(search: RangeSearch, available: readonly RangeChoice[]): RangeChoice | null {
  if (isCustomRange(search)) return null;
  const chosen = search.range ?? defaultRange;
  return available.includes(chosen) ? chosen : modelRange(search);
}
