import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { ListPosition } from '../list-cursor.ts';
import { joinedScores } from '../latest-scores.ts';
import { matchingSpans } from './span-listing.ts';
import type { LookUp, SpanListing, TimePart } from './span-listing.ts';
import { behind, orderBy } from './span-order.ts';
import type { SpanOrder } from './span-order.ts';

/** A span's place in a list. */
export interface Position {
  traceId: string;
  spanId: string;
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
  const rows = await reader.query<{ value: string; trace_id: string; span_id: string }>(text, parameters);
  return rows.map(({ value, trace_id: traceId, span_id: spanId }) => ({
    traceId,
    spanId,
    position: { value, id: JSON.stringify([traceId, spanId]) },
  }));
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
    text: `SELECT ${order.text} AS value, trace_id, span_id
FROM spans FINAL${scores?.text ?? ''}
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
