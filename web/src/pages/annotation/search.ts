import type { ListTracesQuery } from '../../api/wire.ts';
import { listRange, rangeDayCount, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { filterNames, readFilters, scoreFilterNames, searchText } from '../../trace-filters.ts';
import type { FilterName, FilterSearch } from '../../trace-filters.ts';

/** Which traces come up, by their scores of the chosen evaluator. */
export const pickWords = {
  unscored: 'without a score of it',
  failed: 'that it failed',
  low: 'with a low score of it',
  all: 'whatever their scores',
} as const;
export type Pick = keyof typeof pickWords;
export const pickNames = Object.keys(pickWords) as Pick[];
export const defaultBelow = '0.5';

/** The element in which the trace in sight is scored. */
export const annotationId = 'annotation';

const pickFilters: readonly FilterName[] = [...scoreFilterNames, 'unscoredBy'];
/** What narrows a queue further; by scores it is picked. */
export const queueFilterNames: readonly FilterName[] = filterNames.filter((name) => !pickFilters.includes(name));

/** A place in the queue, which goes from the newest trace to the oldest. */
export interface Position {
  traceId: string;
  startTime: string;
}

/** What stands in the URL of the queue: what comes up, and how far one has come. */
export interface AnnotationSearch extends RangeSearch, FilterSearch {
  evaluator?: string | undefined;
  pick?: Pick | undefined;
  /** With `pick=low`: scores up to this. */
  below?: string | undefined;
  /** Scores are numbers; passed or failed unless given. */
  as?: 'number' | undefined;
  /** The trace that is shown, and when it started. */
  trace?: string | undefined;
  before?: string | undefined;
  /** How many were scored on the way. */
  done?: string | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
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

/** The filters alone, without what is picked by scores. */
export function traceFilters(search: AnnotationSearch): FilterSearch {
  const names = ['q', ...queueFilterNames] as const;
  return Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
}

/** What the service is to pick by scores of an evaluator. */
export function pickFilter({ pick, below }: AnnotationSearch, evaluator: string): ListTracesQuery {
  switch (pick) {
    case 'failed':
      return { evaluator, passed: 'false' };
    case 'low':
      return { evaluator, maxScore: below ?? defaultBelow };
    case 'all':
      return {};
    default:
      return { unscoredBy: evaluator };
  }
}

const dayMs = 86_400_000;

/**
 * What is asked of the service for the traces from a place on: the newest first, that place included.
 *
 * @param picked see {@link pickFilter}
 */
export function queueRequest(
  search: AnnotationSearch,
  nowMs: number,
  from: Position | null,
  picked: ListTracesQuery,
): ListTracesQuery {
  const { range, ...rest } = listRange(search, nowMs);
  const filters = { ...(traceFilters(search) as ListTracesQuery), ...picked };
  if (from === null) return { ...filters, ...rest, ...(range === undefined ? {} : { range }), sort: '-startTime' };
  // The service takes a named range or moments: whole UTC days, today included.
  const start =
    range === undefined ? rest.from : new Date((Math.floor(nowMs / dayMs) - rangeDayCount(search) + 1) * dayMs).toISOString();
  return { ...filters, ...(start === undefined ? {} : { from: start }), to: from.startTime, sort: '-startTime' };
}

/**
 * What comes after a place, of traces in the order of the queue that begin there.
 *
 * @param together all traces of the place's millisecond, picked or not, in their order: a trace that has been scored is no longer picked, and
 * only they tell which others of its millisecond stand behind it. null: they are not known
 * @returns null when they have to be
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
  // It may have been deleted since.
  const place = together?.findIndex(({ traceId }) => traceId === from.traceId) ?? -1;
  const behind = new Set(place === -1 ? [] : together?.slice(place + 1).map(({ traceId }) => traceId));
  return traces.filter(({ traceId, startTime }) => startTime < from.startTime || behind.has(traceId));
}
