import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { ListPosition } from './list-cursor.ts';
import { memberCondition, tracesEver } from './member-filters.ts';
import type { Member } from './member-filters.ts';
import { spanSearch } from './span-search.ts';
import { allOf } from './sql-part.ts';
import type { SqlPart } from './sql-part.ts';
import type { TimeRange } from './time-range.ts';
import { filterConditions, startedIn } from './trace-filters.ts';
import type { TraceFilters } from './trace-filters.ts';
import { behind, orderBy, upTo } from './trace-order.ts';
import type { TraceOrder } from './trace-order.ts';
import { summaryColumns } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';

/** The filters and order of a list of traces. */
export interface TraceListing {
  range: TimeRange;
  filters: TraceFilters;
  /** The required rows of scores and spans of a trace. */
  members: readonly Member[];
  /** The rare one of `members`, by which the traces are looked up. */
  rare: Member | null;
  /** Text searched in the spans; undefined for no search. */
  q: string | undefined;
  order: TraceOrder;
}

/** A part of a list: after `after` (null: from the beginning), up to and including `last` (null: to the end). */
export interface ListPart {
  after: ListPosition | null;
  last: ListPosition | null;
}

export interface ListedTrace {
  row: SummaryRow;
  position: ListPosition;
}

/** Reads a list of traces in parts. */
export class TraceListStore {
  readonly #reader: TenantReader;
  readonly #listing: TraceListing;

  constructor(reader: TenantReader, listing: TraceListing) {
    this.#reader = reader;
    this.#listing = listing;
  }

  /**
   * The end of the part with the next `size` rows after a position; null when the list has no more rows. In the table's own order this counts
   * stored rows, including deleted, replaced and filtered ones, so that it reads no more of the table than the part.
   */
  async endOfPart(after: ListPosition | null, size: number): Promise<ListPosition | null> {
    const { text, parameters } = endOfPartSql(this.#listing, after, size);
    const [row] = await this.#reader.query<{ value: string; trace_id: string }>(text, parameters);
    return row ? { value: row.value, id: row.trace_id } : null;
  }

  /** The first `limit` traces of a part, in order. */
  async tracesOf(part: ListPart, limit: number): Promise<ListedTrace[]> {
    const { text, parameters } = tracesSql(this.#listing, part, limit);
    const rows = await this.#reader.query<SummaryRow & { value: string }>(text, parameters);
    return rows.map((row) => ({ row, position: { value: row.value, id: row.trace_id } }));
  }
}

/** SQL of {@link TraceListStore.endOfPart}. */
export function endOfPartSql({ range, filters, order }: TraceListing, after: ListPosition | null, size: number): SqlPart {
  const where = allOf([
    startedIn(range),
    ...(after ? [behind(order, after)] : []),
    ...(order.sorted ? [] : filterConditions(filters)),
  ]);
  return {
    text: `SELECT ${order.text} AS value, trace_id
FROM traces${order.sorted ? '' : ' FINAL'}
WHERE ${where.text}
${orderBy(order)}
LIMIT 1 OFFSET ${size - 1}`,
    parameters: where.parameters,
  };
}

/** SQL of {@link TraceListStore.tracesOf}. */
export function tracesSql(listing: TraceListing, { after, last }: ListPart, limit: number): SqlPart {
  const { range, filters, members, q, order } = listing;
  const candidates = allOf([
    startedIn(range),
    ...(after ? [behind(order, after)] : []),
    ...(last ? [upTo(order, last)] : []),
    ...filterConditions(filters),
  ]);
  const among = membersAmong(listing, candidates, last !== null);
  const matching = allOf([candidates, ...members.map((member) => memberCondition(member, among))]);
  // The text search reads whole inputs and outputs, so it comes last and only for traces that match all other conditions.
  const where = q === undefined ? matching : allOf([matching, spanSearch(q, matching)]);
  return {
    text: `SELECT ${order.text} AS value, ${summaryColumns}
FROM traces FINAL
WHERE ${where.text}
${orderBy(order)}
LIMIT ${limit}`,
    parameters: where.parameters,
  };
}

/** The traces whose scores and spans are read; null for all. */
function membersAmong({ rare, filters }: TraceListing, candidates: SqlPart, bounded: boolean): SqlPart | null {
  if (rare) return tracesEver(rare);
  const few = bounded || filters.session !== undefined || filters.user !== undefined;
  return few ? { ...candidates, text: `SELECT trace_id FROM traces FINAL\nWHERE ${candidates.text}` } : null;
}
