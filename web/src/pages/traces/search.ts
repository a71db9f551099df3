import type { ListTracesQuery, TraceSort } from '../../api/wire.ts';
import { listRange, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** Filters by the name of their parameter, with what people call them. */
export const filterLabels = {
  model: 'Model',
  agent: 'Agent',
  session: 'Session',
  user: 'User',
  environment: 'Environment',
  status: 'Status',
  tag: 'Tag',
  minLatency: 'Latency at least (ms)',
  minCost: 'Cost at least ($)',
} as const;
export type FilterName = keyof typeof filterLabels;
export const filterNames = Object.keys(filterLabels) as FilterName[];

const sorts: ReadonlySet<string> = new Set<TraceSort>(['-startTime', 'startTime', '-latency', 'latency', '-cost', 'cost']);

/** What stands in the URL of the list of traces. */
export interface TracesSearch extends RangeSearch, Partial<Record<FilterName, string | undefined>> {
  q?: string | undefined;
  sort?: TraceSort | undefined;
  /** Columns that are not shown; the default ones unless given. */
  hide?: string | undefined;
  live?: '1' | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
export function readTracesSearch(search: Record<string, unknown>): TracesSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const number = (name: string) => {
    const value = text(name);
    return value !== undefined && Number(value) >= 0 ? value : undefined;
  };
  const read: TracesSearch = readRange(search);
  for (const name of filterNames) {
    const value = name === 'minLatency' || name === 'minCost' ? number(name) : text(name);
    if (value !== undefined && (name !== 'status' || value === 'ok' || value === 'error')) read[name] = value;
  }
  const q = text('q');
  const sort = text('sort');
  const hide = typeof search['hide'] === 'string' ? search['hide'] : undefined;
  return {
    ...read,
    ...(q === undefined ? {} : { q }),
    ...(sort !== undefined && sorts.has(sort) ? { sort: sort as TraceSort } : {}),
    ...(hide === undefined ? {} : { hide }),
    ...(search['live'] === '1' ? { live: '1' as const } : {}),
  };
}

/** What is asked of the service. */
export function tracesRequest(search: TracesSearch, nowMs: number): Omit<ListTracesQuery, 'cursor' | 'limit'> {
  const { range: _range, from: _from, to: _to, hide: _hide, live: _live, ...filters } = search;
  return { ...listRange(search, nowMs), ...filters } as Omit<ListTracesQuery, 'cursor' | 'limit'>;
}
