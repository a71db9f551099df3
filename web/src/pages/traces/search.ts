import type { ListTracesQuery, TraceSort } from '../../api/parts.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { readFilters, searchText, simulatedFilter } from '../../trace-filters.ts';
import type { FilterSearch } from '../../trace-filters.ts';

const sorts: ReadonlySet<string> = new Set<TraceSort>(['-startTime', 'startTime', '-latency', 'latency', '-cost', 'cost']);

/** The search parameters of the list of traces. */
export interface TracesSearch extends RangeSearch, FilterSearch {
  sort?: TraceSort | undefined;
  /** IDs of the hidden columns, separated by dots; {@link hiddenByDefault} by default. */
  hide?: string | undefined;
  live?: '1' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readTracesSearch(search: Record<string, unknown>): TracesSearch {
  const sort = searchText(search, 'sort');
  const hide = typeof search['hide'] === 'string' ? search['hide'] : undefined;
  return {
    ...readRange(search),
    ...readFilters(search),
    ...(sort !== undefined && sorts.has(sort) ? { sort: sort as TraceSort } : {}),
    ...(hide === undefined ? {} : { hide }),
    ...(search['live'] === '1' ? { live: '1' as const } : {}),
  };
}

/** The request for the list. */
export function tracesRequest(search: TracesSearch, nowMs: number): Omit<ListTracesQuery, 'cursor' | 'limit'> {
  const {
    range: _range,
    from: _from,
    to: _to,
    unknownRange: _unknown,
    hide: _hide,
    live: _live,
    simulated: _all,
    ...filters
  } = search;
  return { ...rangeRequest(search, nowMs), ...filters, ...simulatedFilter(search) } as Omit<ListTracesQuery, 'cursor' | 'limit'>;
}
