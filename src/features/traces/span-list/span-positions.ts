import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { ListPosition } from '../list-cursor.ts';
import { joinedScores } from '../latest-scores.ts';
import { matchingSpans } from './span-listing.ts';
import type { LookUp, SpanListing } from './span-listing.ts';
import type { TimePart } from './time-part.ts';
import { behind, orderBy } from './span-order.ts';
import type { SpanOrder } from './span-order.ts';

/** A span's place in a list. */
export interface Position {
  traceId: string;
  spanId: string;
  startNs: string;
  position: ListPosition;
}

/** How a request reads a list of spans. */
export interface Walk {
  reader: TenantReader;
  /** null for an order other than that of time. */
  lookUp: LookUp | null;
  listing: SpanListing;
  order: SpanOrder;
  /** Whose score the order is by; null for another order. */
  evaluator: string | null;
  wanted: number;
  isOver(): boolean;
}

/** What a request has read. */
export interface Walked {
  found: Position[];
  /** The position at which the time limit ended the search, if it did. */
  stoppedAt: ListPosition | null;
}

/** Between the spans that start at the end of a part and those beyond it: no span has an empty id. */
export function positionBehind(end: bigint, descending: boolean): ListPosition {
  return { value: String(descending ? end : end + 1n), id: JSON.stringify(['', '']) };
}

/** A part that ends (descending), or begins, at a time. */
export function restFrom({ fromNs, toNs }: TimePart, ns: bigint, descending: boolean): TimePart {
  return descending ? { fromNs, toNs: ns } : { fromNs: ns, toNs };
}

/** The first spans of a part, in order. */
export async function readPositions(
  { reader, listing, order, evaluator }: Walk,
  after: ListPosition | null,
  part: TimePart,
  lookUp: LookUp | null,
  limit: number,
): Promise<Position[]> {
  const { text, parameters } = positionsSql(listing, order, { after, part, lookUp, evaluator }, limit);
  const rows = await reader.query<{ value: string; start: string; trace_id: string; span_id: string }>(text, parameters);
  return rows.map(({ value, start: startNs, trace_id: traceId, span_id: spanId }) => ({
    traceId,
    spanId,
    startNs,
    position: { value, id: JSON.stringify([traceId, spanId]) },
  }));
}

const startText = 'toString(reinterpretAsInt64(start_time))';

/** SQL of the start of the row with which a window of so many rows of a table ends. Counts stored rows, also replaced ones. */
export function endOfRowsSql(
  table: 'span_texts' | 'span_headers',
  { fromNs, toNs }: TimePart,
  size: number,
  descending: boolean,
): SqlPart {
  return {
    text: `SELECT ${startText} AS value FROM ${table}
WHERE start_time >= fromUnixTimestamp64Nano({windowFrom:Int64}) AND start_time <= fromUnixTimestamp64Nano({windowTo:Int64})
ORDER BY start_time${descending ? ' DESC' : ''}
LIMIT 1 OFFSET ${size - 1}`,
    parameters: { windowFrom: String(fromNs), windowTo: String(toNs) },
  };
}

/** Reads what {@link endOfRowsSql} describes; null when there are fewer rows. */
export async function endOfRows(
  { reader, order: { descending } }: Pick<Walk, 'reader' | 'order'>,
  table: 'span_texts' | 'span_headers',
  rest: TimePart,
  size: number,
): Promise<bigint | null> {
  const { text, parameters } = endOfRowsSql(table, rest, size, descending);
  const [row] = await reader.query<{ value: string }>(text, parameters);
  return row ? BigInt(row.value) : null;
}

/** SQL of the first spans of a part, in order. */
export function positionsSql(
  listing: SpanListing,
  order: SpanOrder,
  {
    after,
    part,
    lookUp,
    evaluator,
  }: { after: ListPosition | null; part: TimePart; lookUp: LookUp | null; evaluator: string | null },
  limit: number,
): SqlPart {
  const matching = matchingSpans(listing, part, lookUp);
  const following = after === null ? null : behind(order, after);
  const scores = evaluator === null ? null : joinedScores('spans', evaluator);
  return {
    text: `SELECT ${order.text} AS value, ${startText} AS start, trace_id, span_id
FROM ${listing.table} FINAL${scores?.text ?? ''}
${indented(matching.text, 2)}${following === null ? '' : `\n  AND ${following.text}`}
${orderBy(order)}
LIMIT ${limit}`,
    parameters: {
      ...matching.parameters,
      ...following?.parameters,
      ...scores?.parameters,
    },
  };
}
