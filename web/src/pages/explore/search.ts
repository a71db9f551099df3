import type { ListSessionsQuery, ListSpansQuery, ListTracesQuery, SpanCountsQuery, TraceCountsQuery } from '../../api/parts.ts';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { withTerm, writtenValue } from '../../filter-edit.ts';
import { foldedParameters } from '../../filter-of-parameters.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { readFilters, searchText } from '../../trace-filters.ts';
import type { FilterSearch } from '../../trace-filters.ts';
import { columnsWithout, maxColumns, readColumn } from './column-choice.ts';

/** What the page lists. */
export type Subject = 'spans' | 'traces' | 'sessions';

/** The search parameters of the page. Those that links name a model or a user by become a part of `filter` when the page is opened. */
export interface ExploreSearch extends RangeSearch, FilterSearch {
  /** Traces by default. */
  on?: Exclude<Subject, 'traces'> | undefined;
  sort?: string | undefined;
  /** The columns in their order, each with its width where it is not the usual: `input~240`. */
  columns?: string | readonly string[] | undefined;
  live?: '1' | undefined;
  /** Charts over time in place of the rows. */
  chart?: '1' | undefined;
  /** The saved view that is open, as its id. */
  view?: string | undefined;
  /** Root spans alone. */
  roots?: '1' | undefined;
  /** The trace of the panel beside the list, and its selected span. */
  peek?: string | undefined;
  span?: string | undefined;
}

const traceSorts = /^-?(?:startTime|latency|cost)$/;
const spanSorts = /^-?(?:startTime|latency|cost|tokens|ttft|score\.[^\0]{1,128})$/;

/** What the page lists. */
export function subjectOf({ on }: Pick<ExploreSearch, 'on'>): Subject {
  return on ?? 'traces';
}

/** What the page's filter is about: a session is met by its traces. */
export function filterSubjectOf(search: Pick<ExploreSearch, 'on'>): FilterSubject {
  return subjectOf(search) === 'spans' ? 'spans' : 'traces';
}

function readSort(search: Record<string, unknown>, on: Subject): string | undefined {
  const sort = searchText(search, 'sort');
  return sort !== undefined && on !== 'sessions' && (on === 'spans' ? spanSorts : traceSorts).test(sort) ? sort : undefined;
}

function readColumns(search: Record<string, unknown>): readonly string[] | undefined {
  const { columns, hide } = search;
  const given = [columns].flat().filter((one): one is string => typeof one === 'string' && readColumn(one) !== null);
  if (given.length > 0) return given.slice(0, maxColumns);
  // The columns that earlier links hide.
  return typeof hide === 'string' ? columnsWithout(hide.split('.')) : undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readExploreSearch(search: Record<string, unknown>): ExploreSearch {
  const on = (['spans', 'sessions'] as const).find((one) => one === search['on']);
  const sort = readSort(search, on ?? 'traces');
  const columns = readColumns(search);
  const view = searchText(search, 'view');
  const read: ExploreSearch = {
    ...(on === undefined ? {} : { on }),
    ...readRange(search),
    ...foldedParameters(readFilters(search)),
    ...(sort === undefined ? {} : { sort }),
    ...(columns === undefined ? {} : { columns }),
    ...(view === undefined ? {} : { view }),
    ...(search['live'] === '1' && on !== 'sessions' ? { live: '1' as const } : {}),
    ...(search['chart'] === '1' && on !== 'sessions' ? { chart: '1' as const } : {}),
    ...(search['roots'] === '1' && on === 'spans' ? { roots: '1' as const } : {}),
  };
  if (on === 'spans' && read.q !== undefined) {
    read.filter = withTerm(read.filter ?? '', textTerm(read.q));
    delete read.q;
  }
  if (on !== undefined) for (const name of ['minScore', 'maxScore', 'passed'] as const) delete read[name];
  const peek = searchText(search, 'peek');
  if (peek === undefined || on === 'sessions') return read;
  const span = searchText(search, 'span');
  return { ...read, peek, ...(span === undefined ? {} : { span }) };
}

/** A text as a term of its own. */
function textTerm(text: string): string {
  const written = writtenValue(text);
  return /[:*]/.test(text) && !written.startsWith('"') ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : written;
}

/** The search of a list that others are counted by: what is no word of the language is left out, or a text. */
function countedFilter({ filter = '', q, simulated }: ExploreSearch): string | undefined {
  const searched = q === undefined ? filter : withTerm(filter, textTerm(q));
  const whole = simulated === '1' ? withTerm(searched, 'source:*') : searched;
  return whole === '' ? undefined : whole;
}

const scoresOf = ({ minScore, maxScore, passed }: ExploreSearch) => ({
  ...(minScore === undefined ? {} : { minScore: Number(minScore) }),
  ...(maxScore === undefined ? {} : { maxScore: Number(maxScore) }),
  ...(passed === undefined ? {} : { passed: passed as 'true' | 'false' }),
});

const filterOf = (filter: string | undefined) => (filter === undefined ? {} : { filter });

/** The request for the list of traces. */
export function tracesRequest(search: ExploreSearch, nowMs: number): ListTracesQuery {
  const { filter, q, sort, simulated } = search;
  return {
    ...rangeRequest(search, nowMs),
    ...filterOf(filter),
    ...(q === undefined ? {} : { q }),
    ...scoresOf(search),
    ...(simulated === '1' ? { simulated: 'any' as const } : {}),
    ...(sort === undefined ? {} : { sort: sort as NonNullable<ListTracesQuery['sort']> }),
  };
}

/** The request for the number of traces over time. */
export function traceCountsRequest(search: ExploreSearch, nowMs: number): TraceCountsQuery {
  const { sort: _sort, q: _q, ...counted } = tracesRequest(search, nowMs);
  return counted;
}

/** The request for the list of spans. */
export function spansRequest(search: ExploreSearch, nowMs: number): ListSpansQuery {
  return { ...spanCountsRequest(search, nowMs), ...(search.sort === undefined ? {} : { sort: search.sort }) };
}

/** The request for the number of spans over time. */
export function spanCountsRequest(search: ExploreSearch, nowMs: number): SpanCountsQuery {
  return {
    ...rangeRequest(search, nowMs),
    ...filterOf(countedFilter(search)),
    ...(search.roots === '1' ? { roots: 'true' as const } : {}),
  };
}

/** The request for the list of sessions. */
export function sessionsRequest(search: ExploreSearch, nowMs: number): ListSessionsQuery {
  const { q, filter } = search;
  return { ...rangeRequest(search, nowMs), ...(q === undefined ? {} : { q }), ...filterOf(filter) };
}

/** The request for the counts of values beside the list. */
export function facetsRequest(search: ExploreSearch, fields: readonly string[], nowMs: number) {
  return { on: filterSubjectOf(search), field: [...fields], ...rangeRequest(search, nowMs), ...filterOf(countedFilter(search)) };
}

/** Whether the list is narrowed by more than its range. */
export function isFiltered({ filter, q, minScore, maxScore, passed, roots }: ExploreSearch): boolean {
  return [filter, q, minScore, maxScore, passed, roots].some((one) => one !== undefined);
}

/** The change that takes every filter away, and leaves the range. */
export const withoutFilters = {
  filter: undefined,
  q: undefined,
  minScore: undefined,
  maxScore: undefined,
  passed: undefined,
  roots: undefined,
} satisfies Partial<ExploreSearch>;
