import type { ListTracesQuery, Score } from '../../api/wire.ts';
import { listRange, rangeDayCount, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { filterNames, readFilters, searchText } from '../../trace-filters.ts';
import type { FilterSearch } from '../../trace-filters.ts';

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

/** A place in the queue, which goes from the newest trace to the oldest. */
export interface Position {
  traceId: string;
  startTime: string;
}

/** What stands in the URL of the queue: what comes up, and how far one has come. */
export interface AnnotationSearch extends RangeSearch, FilterSearch {
  evaluator?: string | undefined;
  pick?: Pick | undefined;
  /** With `pick=low`: scores below this. */
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
  const read: AnnotationSearch = { ...readRange(search), ...readFilters(search) };
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

/** The filters alone: what decides which traces come up. */
export function traceFilters(search: AnnotationSearch): FilterSearch {
  const names = ['q', ...filterNames] as const;
  return Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
}

const dayMs = 86_400_000;

/** What is asked of the service for the traces from a place on: the newest first, that place included. */
export function queueRequest(search: AnnotationSearch, nowMs: number, from: Position | null): ListTracesQuery {
  const { range, ...rest } = listRange(search, nowMs);
  const filters = traceFilters(search) as ListTracesQuery;
  if (from === null) return { ...filters, ...rest, ...(range === undefined ? {} : { range }), sort: '-startTime' };
  // The service takes a named range or moments: whole UTC days, today included.
  const start =
    range === undefined ? rest.from : new Date((Math.floor(nowMs / dayMs) - rangeDayCount(search) + 1) * dayMs).toISOString();
  return { ...filters, ...(start === undefined ? {} : { from: start }), to: from.startTime, sort: '-startTime' };
}

/** Whether a trace comes up, as far as its scores say. */
export function isWanted(scores: readonly Score[], evaluator: string, pick: Pick, below: number): boolean {
  const own = scores.filter((score) => score.evaluator === evaluator);
  switch (pick) {
    case 'unscored':
      return own.length === 0;
    case 'failed':
      return own.some(({ passed }) => passed === false);
    case 'low':
      return own.some(({ score }) => score < below);
    case 'all':
      return true;
  }
}

/** What comes after a place, of traces in the order of the queue that begin there. */
export function after<T extends Position>(traces: readonly T[], from: Position | null): T[] {
  if (from === null) return [...traces];
  const index = traces.findIndex(({ traceId }) => traceId === from.traceId);
  // It may have been deleted since, or fit the filters no more.
  return index === -1 ? traces.filter(({ startTime }) => startTime < from.startTime) : traces.slice(index + 1);
}
