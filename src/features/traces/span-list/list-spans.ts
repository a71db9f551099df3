import { readListFilter } from '../../../contract/filter/read-filter.ts';
import type { ListSpansQuery, SpanPage } from '../../../contract/spans.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { readKeyColumns, withKeyColumns } from '../key-columns.ts';
import { decodeListCursor, encodeListCursor, listName } from '../list-cursor.ts';
import type { ListPosition } from '../list-cursor.ts';
import { evaluatorOf } from '../latest-scores.ts';
import type { WithView } from '../../views/index.ts';
import { findPartlyExpired } from '../partly-expired.ts';
import { readingOfSpans } from '../text-search/text-search.ts';
import { asksForSource } from '../filter/origin.ts';
import { requiredTexts, withoutTexts } from '../filter/texts-of.ts';
import { timeRange } from '../time-range.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { readListedSpans } from './listed-spans.ts';
import { wholeOf } from './time-part.ts';
import type { TimePart } from './time-part.ts';
import { isSpanId, spanOrder } from './span-order.ts';
import { endOfRows, positionBehind, readPositions, restFrom } from './span-positions.ts';
import type { Position, Walk, Walked } from './span-positions.ts';
import { ownFieldsOf } from './given-fields.ts';
import { givenOf } from './span-listing.ts';
import { tableOfSpans } from './span-table.ts';
import { walkTexts } from './walk-texts.ts';

/** After this time a list returns its matches so far, and a cursor to continue. */
const longestWalkMs = 12_000;
/** Each further part of a list has this many times as many traces. */
const growth = 16;
/** Beyond this number of traces their spans are not looked up by trace: the table is read. */
const mostLookedUp = 50_000;
/** So many of the nearest rows of `span_headers` are read first: what is frequent is among them. */
const nearest = 16_384;
/** The largest part of `span_headers` before the rest. */
const mostRows = 5_000_000;
/** Up to this number of rows the records beside the spans are looked up by trace. */
const mostRowsLookedUp = 300_000;

/**
 * One page of a project's spans (docs/filter.md). In the order of time the list is read in growing parts until the page is full, so that a page costs
 * the same at any depth; a search that reaches its time limit returns its matches so far, possibly none, and `nextCursor`.
 *
 * Errors: `invalid_request` for an invalid range, a column that is no key and the cursor of another list, `invalid_filter`.
 */
export async function listSpans(context: TracesContext, tenant: Tenant, query: WithView<ListSpansQuery>): Promise<SpanPage> {
  const nowMs = context.clock.now();
  const { limit, cursor, sort, range, from, to, filter: written, viewFilter, roots } = query;
  const columns = readKeyColumns(query.column, 'spans', nowMs);
  const order = spanOrder(sort);
  const chosen = timeRange(query, nowMs);
  const filter = readListFilter(query, 'spans', nowMs);
  const name = listName([tenant.projectId, 'spans', sort, range, from, to, written, viewFilter, roots]);
  const after = decodeListCursor(cursor, name, order.isValue, isSpanId);
  const readers = readersFor(context, tenant);
  const { search } = context;
  const required = filter === null ? [] : requiredTexts(filter);
  const byTexts = order.byTime && required.length > 0 && (await search.isWhole(tenant.projectId));
  const reading = byTexts ? null : await readingOfSpans(search, readers.whole, tenant.projectId, filter, chosen);
  const asked = byTexts && filter !== null ? withoutTexts(filter) : filter;
  const table = await tableOfSpans(search, tenant.projectId, asked, reading);
  const walk: Walk = {
    reader: readers.whole,
    lookUp: order.byTime && !byTexts ? { partlyExpired: await findPartlyExpired(readers, chosen.fromNs) } : null,
    listing: {
      range: chosen,
      filter,
      anySource: asksForSource(filter),
      roots: roots === 'true',
      reading,
      table,
      given: await givenOf(readers.whole, table, ownFieldsOf(asked), chosen),
    },
    order,
    evaluator: evaluatorOf(sort),
    wanted: limit + 1,
    isOver: () => context.clock.now() - nowMs > longestWalkMs,
  };
  const read = () => {
    if (byTexts) return walkTexts(walk, { texts: required, hasWords: search.hasWords }, after);
    if (!order.byTime) return readWhole(walk, after);
    return table === 'spans' ? walkThrough(walk, after, partsByTraces) : walkThrough(walk, after, partsByRows);
  };
  const { found, stoppedAt } = await read();
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1)?.position : stoppedAt;
  return {
    spans: await withKeyColumns(readers.whole, 'spans', await readListedSpans(readers, page, table), columns),
    nextCursor: last ? encodeListCursor(name, last) : null,
  };
}

async function readWhole(walk: Walk, after: ListPosition | null): Promise<Walked> {
  return { found: await readPositions(walk, after, wholeOf(walk.listing.range), null, walk.wanted), stoppedAt: null };
}

/** The growing parts in which a list is read. */
interface Parts {
  first(wanted: number): number;
  /** The time at which a part of a size ends; null when less is left, or too much is read by then. */
  end(walk: Walk, rest: TimePart, size: number): Promise<bigint | null>;
  /** Whether the traces of a part of a size are looked up. */
  looksUp(size: number): boolean;
}

/** Sizes are numbers of traces. */
const partsByTraces: Parts = {
  first: (wanted) => Math.max(64, 2 * wanted),
  end: async (walk, rest, size) => (size > mostLookedUp ? null : endOfPart(walk, rest, size)),
  looksUp: () => true,
};

/** Sizes are numbers of rows of `span_headers`. */
const partsByRows: Parts = {
  first: (wanted) => Math.max(nearest, 2 * wanted),
  end: async (walk, rest, size) => (size > mostRows ? null : endOfRows(walk, 'span_headers', rest, size)),
  looksUp: (size) => size <= mostRowsLookedUp,
};

async function walkThrough(walk: Walk, from: ListPosition | null, parts: Parts): Promise<Walked> {
  const { descending } = walk.order;
  const whole = wholeOf(walk.listing.range);
  const found: Position[] = [];
  let rest: TimePart = from === null ? whole : restFrom(whole, BigInt(from.value), descending);
  let after = from;
  for (let size = parts.first(walk.wanted); ; size *= growth) {
    const end = await parts.end(walk, rest, size);
    const part = end === null ? rest : restFrom(rest, end, !descending);
    const lookUp = end === null || !parts.looksUp(size) ? null : walk.lookUp;
    found.push(...(await readPositions(walk, after, part, lookUp, walk.wanted - found.length)));
    if (end === null || found.length >= walk.wanted) return { found, stoppedAt: null };
    rest = restFrom(rest, descending ? end - 1n : end + 1n, descending);
    // The position is exact for what the earlier parts have not read.
    after = null;
    if (walk.isOver()) return { found, stoppedAt: positionBehind(end, descending) };
  }
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
