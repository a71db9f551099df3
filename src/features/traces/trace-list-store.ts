import { allOf } from '../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../platform/clickhouse/index.ts';
import type { ListPosition } from './list-cursor.ts';
import { tracesEver } from './member-filters.ts';
import type { Member } from './member-filters.ts';
import { candidateIds } from './partly-expired.ts';
import type { PartlyExpired } from './partly-expired.ts';
import { remainingSummaries } from './remaining-summary.ts';
import { spanSearch, storedSearch } from './span-search.ts';
import { readingOfAll } from './text-search/text-search.ts';
import type { TextSearch } from './text-search/text-search.ts';
import type { TextReading } from './filter/text-reading.ts';
import type { TimeRange } from './time-range.ts';
import { startedIn } from './trace-filters.ts';
import type { TraceConditions } from './trace-filters.ts';
import { behind, orderBy, upTo } from './trace-order.ts';
import type { TraceOrder } from './trace-order.ts';
import { listedColumns } from './trace-summary.ts';
import type { ListedRow } from './trace-summary.ts';
import type { RetainedReaders } from './traces-context.ts';

/** The filters and order of a list of traces. */
export interface TraceListing {
  range: TimeRange;
  conditions: TraceConditions;
  /** Few traces match the conditions on summaries: those of a session or a user. */
  isNarrow: boolean;
  /** The rare one of the required rows, by which the traces are looked up. */
  rare: Member | null;
  /** Text searched in the spans; undefined for no search. */
  q: string | undefined;
  /** How `q` and the texts of the filter are searched in `span_texts`; null: in the spans. */
  search: TextSearch | null;
  order: TraceOrder;
}

/** A part of a list: after `after` (null: from the beginning), up to and including `last` (null: to the end). */
export interface ListPart {
  after: ListPosition | null;
  last: ListPosition | null;
}

export interface ListedTrace {
  row: ListedRow;
  position: ListPosition;
}

/** Reads a list of traces in parts. */
export class TraceListStore {
  readonly #readers: RetainedReaders;
  readonly #listing: TraceListing;

  constructor(readers: RetainedReaders, listing: TraceListing) {
    this.#readers = readers;
    this.#listing = listing;
  }

  /**
   * The end of the part with the next `size` rows after a position; null when the list has no more rows. In the table's own order this counts
   * stored rows, including deleted, replaced and filtered ones, so that it reads no more of the table than the part.
   */
  async endOfPart(after: ListPosition | null, size: number): Promise<ListPosition | null> {
    const { text, parameters } = endOfPartSql(this.#listing, after, size);
    const [row] = await this.#readers.whole.query<{ value: string; trace_id: string }>(text, parameters);
    return row ? { value: row.value, id: row.trace_id } : null;
  }

  /** The first `limit` traces of a part, in order; without partly expired traces. */
  async tracesOf(part: ListPart, limit: number): Promise<ListedTrace[]> {
    return this.#listed(this.#readers.whole, tracesSql(this.#listing, part, limit));
  }

  /** The first `limit` partly expired traces of a part, in order, summed up over their retained records. */
  async partlyExpiredOf(partlyExpired: PartlyExpired, part: ListPart, limit: number): Promise<ListedTrace[]> {
    return this.#listed(this.#readers.partly, partlyExpiredTracesSql(this.#listing, partlyExpired, part, limit));
  }

  async #listed(reader: TenantReader, { text, parameters }: SqlPart): Promise<ListedTrace[]> {
    const rows = await reader.query<ListedRow & { value: string }>(text, parameters);
    return rows.map((row) => ({ row, position: { value: row.value, id: row.trace_id } }));
  }
}

/** SQL of {@link TraceListStore.endOfPart}. */
export function endOfPartSql({ range, conditions, order }: TraceListing, after: ListPosition | null, size: number): SqlPart {
  const where = allOf([
    startedIn(range),
    ...(after ? [behind(order, after)] : []),
    ...(order.sorted ? [] : conditions.ofSummary),
  ]);
  return {
    text: `SELECT ${order.text} AS value, trace_id
FROM traces${order.sorted ? '' : ' FINAL'}${order.join?.text ?? ''}
WHERE ${where.text}
${orderBy(order)}
LIMIT 1 OFFSET ${size - 1}`,
    parameters: { ...where.parameters, ...order.join?.parameters },
  };
}

/** SQL of {@link TraceListStore.tracesOf}. */
export function tracesSql(listing: TraceListing, part: ListPart, limit: number): SqlPart {
  const matching = matchingSql(listing, part);
  return listSql(
    listing,
    { text: 'traces FINAL', parameters: {} },
    {
      matching,
      amongForMembers: membersAmong(listing, candidatesOf(listing, matching), part.last !== null),
      amongForSearch: null,
      reading: readingOf(listing, part),
    },
    limit,
  );
}

/** How the texts of the traces of a part are read: in the time of their records. */
function readingOf(listing: TraceListing, part: ListPart): TextReading | null {
  const { search, range, order } = listing;
  if (search === null || part.last === null) return readingOfAll(search);
  const rows = allOf([startedIn(range), ...(part.after ? [behind(order, part.after)] : []), upTo(order, part.last)]);
  return {
    hasWords: search.hasWords,
    within: {
      text: `start_time >= (SELECT min(oldest_time) FROM traces WHERE ${rows.text})
  AND start_time <= (SELECT max(newest_time) FROM traces WHERE ${rows.text})`,
      parameters: rows.parameters,
    },
  };
}

/** SQL of {@link TraceListStore.partlyExpiredOf}. */
export function partlyExpiredTracesSql(
  listing: TraceListing,
  { traces, edgeMs }: PartlyExpired,
  part: ListPart,
  limit: number,
): SqlPart {
  const { text, parameters } = remainingSummaries(traces, edgeMs);
  const from = { text: `(\n  ${text}\n)`, parameters };
  const matching = matchingSql(listing, part);
  return listSql(listing, from, { matching, amongForMembers: traces, amongForSearch: traces, reading: null }, limit);
}

/** The conditions on the summary. */
function matchingSql({ range, conditions, order }: TraceListing, { after, last }: ListPart): SqlPart {
  return allOf([
    startedIn(range),
    ...(after ? [behind(order, after)] : []),
    ...(last ? [upTo(order, last)] : []),
    ...conditions.ofSummary,
  ]);
}

/** The conditions by which traces are looked up without what the order is joined with; they may leave more. */
function candidatesOf({ range, conditions, order }: TraceListing, matching: SqlPart): SqlPart {
  return order.join === undefined ? matching : allOf([startedIn(range), ...conditions.ofSummary]);
}

interface Conditions {
  matching: SqlPart;
  /** The traces whose scores and spans are read; null for all. */
  amongForMembers: SqlPart | null;
  /** The traces whose texts are searched; null for those that match all other conditions. */
  amongForSearch: SqlPart | null;
  reading: TextReading | null;
}

function listSql(
  listing: TraceListing,
  from: SqlPart,
  { matching, amongForMembers, amongForSearch, reading }: Conditions,
  limit: number,
): SqlPart {
  const { conditions, q, order } = listing;
  const ofMembers = conditions.ofMembers.map((condition) => condition(amongForMembers, reading));
  const selected = allOf([matching, ...ofMembers]);
  // The text search reads whole inputs and outputs, so it comes last. The ids that it searches may contain all other conditions, which are then not repeated.
  const candidates = () => candidateIds(allOf([candidatesOf(listing, matching), ...ofMembers]), null);
  const searched = (text: string) =>
    reading !== null
      ? allOf([selected, storedSearch(text, reading, amongForMembers === null ? null : candidates())])
      : amongForSearch === null
        ? allOf([...(order.join === undefined ? [matching] : [selected]), spanSearch(text, candidates())])
        : allOf([selected, spanSearch(text, amongForSearch)]);
  const where = q === undefined ? selected : searched(q);
  return {
    text: `SELECT ${order.text} AS value, ${listedColumns}
FROM ${from.text}${order.join?.text ?? ''}
WHERE ${where.text}
${orderBy(order)}
LIMIT ${limit}`,
    parameters: { ...from.parameters, ...where.parameters, ...order.join?.parameters },
  };
}

/** The traces whose scores and spans are read; null for all. */
function membersAmong({ rare, isNarrow }: TraceListing, candidates: SqlPart, bounded: boolean): SqlPart | null {
  if (rare) return tracesEver(rare);
  return bounded || isNarrow ? candidateIds(candidates, null) : null;
}
