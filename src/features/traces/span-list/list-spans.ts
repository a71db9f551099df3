import { readListFilter } from '../../../contract/filter/read-filter.ts';
import type { ListedSpan, ListSpansQuery } from '../../../contract/spans.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { decodeListCursor, encodeListCursor, listName } from '../list-cursor.ts';
import type { ListPosition } from '../list-cursor.ts';
import { evaluatorOf, joinedScores } from '../latest-scores.ts';
import type { WithView } from '../../views/index.ts';
import { findPartlyExpired } from '../partly-expired.ts';
import { timeRange } from '../time-range.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { readListedSpans } from './listed-spans.ts';
import { matchingSpans, wholeOf } from './span-listing.ts';
import type { LookUp, SpanListing, TimePart } from './span-listing.ts';
import { behind, isSpanId, orderBy, spanOrder } from './span-order.ts';
import type { SpanOrder } from './span-order.ts';

/** After this time a list returns its matches so far, and a cursor to continue. */
const longestWalkMs = 12_000;
/** Each further part of a list has this many times as many traces. */
const growth = 16;
/** Beyond this number of traces their spans are not looked up by trace: the table is read. */
const mostLookedUp = 50_000;

interface Position {
  traceId: string;
  spanId: string;
  position: ListPosition;
}

/**
 * One page of a project's spans (docs/filter.md). In the order of time the list is read in growing parts until the page is full, so that a page costs
 * the same at any depth; a search that reaches its time limit returns its matches so far, possibly none, and `nextCursor`.
 *
 * Errors: `invalid_request` for an invalid range and for the cursor of another list, `invalid_filter`.
 */
export async function listSpans(
  context: TracesContext,
  tenant: Tenant,
  query: WithView<ListSpansQuery>,
): Promise<{ spans: ListedSpan[]; nextCursor: string | null }> {
  const nowMs = context.clock.now();
  const { limit, cursor, sort, range, from, to, filter, viewFilter, roots } = query;
  const order = spanOrder(sort);
  const listing = { range: timeRange(query, nowMs), filter: readListFilter(query, 'spans', nowMs), roots: roots === 'true' };
  const name = listName([tenant.projectId, 'spans', sort, range, from, to, filter, viewFilter, roots]);
  const after = decodeListCursor(cursor, name, order.isValue, isSpanId);
  const readers = readersFor(context, tenant);
  const walk: Walk = {
    reader: readers.whole,
    lookUp: order.byTime ? { partlyExpired: await findPartlyExpired(readers, listing.range.fromNs) } : null,
    listing,
    order,
    evaluator: evaluatorOf(sort),
    wanted: limit + 1,
    isOver: () => context.clock.now() - nowMs > longestWalkMs,
  };
  const { found, stoppedAt } = await (order.byTime ? walkThrough(walk, after) : readWhole(walk, after));
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1)?.position : stoppedAt;
  return {
    spans: await readListedSpans(readers, page),
    nextCursor: last ? encodeListCursor(name, last) : null,
  };
}

interface Walk {
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

interface Walked {
  found: Position[];
  /** The position at which the time limit ended the search, if it did. */
  stoppedAt: ListPosition | null;
}

async function readWhole(walk: Walk, after: ListPosition | null): Promise<Walked> {
  return { found: await readPositions(walk, after, wholeOf(walk.listing.range), null, walk.wanted), stoppedAt: null };
}

async function walkThrough(walk: Walk, from: ListPosition | null): Promise<Walked> {
  const { descending } = walk.order;
  const whole = wholeOf(walk.listing.range);
  const found: Position[] = [];
  let rest: TimePart = from === null ? whole : restFrom(whole, BigInt(from.value), descending);
  let after = from;
  for (let size = Math.max(64, 2 * walk.wanted); ; size *= growth) {
    const end = size > mostLookedUp ? null : await endOfPart(walk, rest, size);
    const part = end === null ? rest : restFrom(rest, end, !descending);
    found.push(...(await readPositions(walk, after, part, end === null ? null : walk.lookUp, walk.wanted - found.length)));
    if (end === null || found.length >= walk.wanted) return { found, stoppedAt: null };
    rest = restFrom(rest, descending ? end - 1n : end + 1n, descending);
    // The position is exact for what the earlier parts have not read.
    after = null;
    // Between the spans that start at the end of the part and those beyond it: no span has an empty id.
    if (walk.isOver()) return { found, stoppedAt: { value: String(descending ? end : end + 1n), id: JSON.stringify(['', '']) } };
  }
}

/** A part that ends (descending), or begins, at a time. */
function restFrom({ fromNs, toNs }: TimePart, ns: bigint, descending: boolean): TimePart {
  return descending ? { fromNs, toNs: ns } : { fromNs: ns, toNs };
}

/** The time at which a part with so many traces ends; null when fewer are left. */
async function endOfPart({ reader, order: { descending } }: Walk, rest: TimePart, size: number): Promise<bigint | null> {
  const { text, parameters } = endOfSpansSql(rest, size, descending);
  const [row] = await reader.query<{ value: string }>(text, parameters);
  return row ? BigInt(row.value) : null;
}

/** SQL of the start of the trace after which a part ends. Counts stored rows, also replaced ones. */
export function endOfSpansSql({ fromNs, toNs }: TimePart, size: number, descending: boolean): SqlPart {
  return {
    text: `SELECT toString(reinterpretAsInt64(start_time)) AS value FROM traces
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
ORDER BY start_time${descending ? ' DESC' : ''}
LIMIT 1 OFFSET ${size - 1}`,
    parameters: { from: String(fromNs), to: String(toNs) },
  };
}

async function readPositions(
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
