import type { ListTracesQuery } from '../../api/parts.ts';
import { rangeRequest, rangeStart, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { filterNames, readFilters, scoreFilterNames, searchText, simulatedFilter } from '../../trace-filters.ts';
import type { FilterName, FilterSearch } from '../../trace-filters.ts';

/** The selections of traces by their scores of the chosen evaluator. */
export const pickLabels = {
  unscored: 'Unscored traces',
  failed: 'Failed traces',
  low: 'Traces with low scores',
  all: 'All traces',
} as const;
export type Pick = keyof typeof pickLabels;
export const pickNames = Object.keys(pickLabels) as Pick[];
export const defaultBelow = '0.5';

/** ID of the element that contains the score form. */
export const annotationId = 'annotation';

const pickFilters: readonly FilterName[] = [...scoreFilterNames, 'unscoredBy'];
/** The filters of the queue, without score filters. */
export const queueFilterNames: readonly FilterName[] = filterNames.filter((name) => !pickFilters.includes(name));

/** A position in the queue, which runs from the newest trace to the oldest. */
export interface Position {
  traceId: string;
  startTime: string;
}

/** The search parameters of the queue. */
export interface AnnotationSearch extends RangeSearch, FilterSearch {
  evaluator?: string | undefined;
  pick?: Pick | undefined;
  /** With `pick=low`: the maximum score. */
  below?: string | undefined;
  /** Numeric scores; pass or fail by default. */
  as?: 'number' | undefined;
  /** The current trace and its start time. */
  trace?: string | undefined;
  before?: string | undefined;
  /** The number of scored traces. */
  done?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readAnnotationSearch(search: Record<string, unknown>): AnnotationSearch {
  const text = (name: string) => searchText(search, name);
  const read: AnnotationSearch = { ...readRange(search), ...readFilters(search, queueFilterNames) };
  const pick = pickNames.find((one) => one === search['pick']);
  const evaluator = text('evaluator');
  const below = text('below');
  const trace = text('trace');
  const before = text('before');
  const done = text('done');
  if (evaluator !== undefined) read.evaluator = evaluator;
  if (pick !== undefined && pick !== 'unscored') read.pick = pick;
  if (below !== undefined && Number.isFinite(Number(below))) read.below = below;
  if (search['as'] === 'number') read.as = 'number';
  if (trace !== undefined && before !== undefined && Number.isFinite(Date.parse(before))) {
    read.trace = trace;
    read.before = new Date(before).toISOString();
  }
  if (done !== undefined && /^\d{1,6}$/.test(done)) read.done = done;
  return read;
}

/** The filters without the selection by scores. */
export function traceFilters(search: AnnotationSearch): ListTracesQuery {
  const names = ['q', ...queueFilterNames] as const;
  const named = names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]));
  return { ...(Object.fromEntries(named) as ListTracesQuery), ...simulatedFilter(search) };
}

/** The score filter for a selection. */
export function pickFilter({ pick, below }: AnnotationSearch, evaluator: string): ListTracesQuery {
  switch (pick) {
    case 'failed':
      return { evaluator, passed: 'false' };
    case 'low':
      return { evaluator, maxScore: Number(below ?? defaultBelow) };
    case 'all':
      return {};
    default:
      return { unscoredBy: evaluator };
  }
}

/**
 * The request for the traces from a position on, newest first, including the position.
 *
 * @param picked see {@link pickFilter}
 */
export function queueRequest(
  search: AnnotationSearch,
  nowMs: number,
  from: Position | null,
  picked: ListTracesQuery,
): ListTracesQuery {
  const asked = rangeRequest(search, nowMs);
  const filters = { ...traceFilters(search), ...picked };
  if (from === null) return { ...filters, ...asked, sort: '-startTime' };
  // The service accepts either a named range or explicit bounds.
  const startMs = rangeStart(search, nowMs);
  return {
    ...filters,
    ...(startMs === null ? {} : { from: new Date(startMs).toISOString() }),
    to: from.startTime,
    sort: '-startTime',
  };
}

/**
 * The traces after a position, from a list in queue order that starts there.
 *
 * @param together all traces of the position's millisecond in order, including those not selected: a scored trace is no longer selected,
 *   so only this list determines which traces of the same millisecond follow it. Null if not loaded
 * @returns null if `together` is required
 */
export function after<T extends Position>(
  traces: readonly T[],
  from: Position | null,
  together: readonly Position[] | null = null,
): T[] | null {
  if (from === null) return [...traces];
  const index = traces.findIndex(({ traceId }) => traceId === from.traceId);
  if (index >= 0) return traces.slice(index + 1);
  if (together === null && traces.some(({ startTime }) => startTime === from.startTime)) return null;
  // The trace may have been deleted.
  const place = together?.findIndex(({ traceId }) => traceId === from.traceId) ?? -1;
  const behind = new Set(place === -1 ? [] : together?.slice(place + 1).map(({ traceId }) => traceId));
  return traces.filter(({ traceId, startTime }) => startTime < from.startTime || behind.has(traceId));
}
