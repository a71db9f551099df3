import type { ListTracesQuery, TracePage } from '../../contract/traces.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { WithView } from '../views/index.ts';
import { readKeyColumns, withKeyColumns } from './key-columns.ts';
import { decodeListCursor, encodeListCursor, listName } from './list-cursor.ts';
import type { ListPosition } from './list-cursor.ts';
import { rareMember } from './member-filters.ts';
import { findPartlyExpired } from './partly-expired.ts';
import { searchTexts } from './text-search/text-search.ts';
import type { PartlyExpired } from './partly-expired.ts';
import { timeRange } from './time-range.ts';
import { TraceListStore } from './trace-list-store.ts';
import type { ListedTrace } from './trace-list-store.ts';
import { errorsOf } from './trace-errors.ts';
import { comparePositions, traceOrder } from './trace-order.ts';
import type { TraceOrder } from './trace-order.ts';
import { conditionsOf } from './trace-filters.ts';
import { toSummary } from './trace-summary.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/** How a request reads a list in parts. */
export interface WalkSteps {
  /** Rows of the first part. */
  first: number;
  /** Factor by which each further part is larger. */
  growth: number;
  /** Maximum traces of a rare member: those are looked up by id instead of reading the list in parts. */
  rare?: number;
}

/** After this time a search returns its matches so far, and a cursor to continue. */
const longestWalkMs = 12_000;
const searchSteps: WalkSteps = { first: 1024, growth: 16 };
/** Scores and spans are read in few, large parts: those of many traces cost nearly as much as those of all. */
const memberGrowth = 64;
const maxOfARare = 10_000;

/**
 * One page of a project's traces (docs/semantics.md, "Lists of traces").
 *
 * The list is read in growing parts until the page is full, so that a page costs the same at any depth and the rest of the table is not
 * read. Scores or spans that few traces have are looked up in one query instead. A search that reaches its time limit returns its matches
 * so far, possibly none, and `nextCursor`.
 *
 * Errors: `invalid_request` for an invalid range, a column that is no key and the cursor of another list, `invalid_filter`.
 */
export async function listTraces(
  context: TracesContext,
  tenant: Tenant,
  query: WithView<ListTracesQuery>,
  steps?: WalkSteps,
): Promise<TracePage> {
  const { clock } = context;
  const startedMs = clock.now();
  const { limit, cursor, sort, q, range, from, to, filter: written, viewFilter, column, ...filters } = query;
  const columns = readKeyColumns(column, 'traces', startedMs);
  const conditions = conditionsOf(filters, query, startedMs);
  const order = traceOrder(sort);
  const name = listName([tenant.projectId, sort, q, range, from, to, written, viewFilter, filters]);
  const position = decodeListCursor(cursor, name, order.isValue);
  const readers = readersFor(context, tenant);
  const isNarrow = filters.session !== undefined || filters.user !== undefined;
  const listed = { range: timeRange(query, startedMs), conditions, isNarrow, q, order };
  const read = async (): Promise<Walk & Walked> => {
    const rare = await rareMember(readers.whole, conditions.members, steps?.rare ?? maxOfARare);
    const searched = q === undefined ? [] : [q];
    const texts = { all: [...conditions.texts, ...searched], required: [...conditions.requiredTexts, ...searched] };
    const search = await searchTexts(context.search, readers.whole, tenant.projectId, texts.all, texts);
    const walk: Walk = {
      store: new TraceListStore(readers, { ...listed, rare, search }),
      steps: readsWhole(query, rare !== null, search?.isRare === true)
        ? null
        : (steps ?? stepsFor(query, conditions.ofMembers.length > 0)),
      wanted: limit + 1,
      remainingMs: () => startedMs + longestWalkMs - clock.now(),
    };
    return { ...walk, ...(await walkDown(walk, position)) };
  };
  const [walked, partlyExpired] = await Promise.all([read(), findPartlyExpired(readers, listed.range.fromNs)]);
  const found = partlyExpired ? await withPartlyExpired(walked, partlyExpired, order, position) : walked.found;
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1)?.position : walked.stoppedAt;
  const errorOf = await errorsOf(
    readers.whole,
    page.map(({ row }) => row),
  );
  const traces = page.map(({ row }) => ({ ...toSummary(row), error: errorOf(row) }));
  return {
    traces: await withKeyColumns(readers.whole, 'traces', traces, columns),
    nextCursor: last ? encodeListCursor(name, last) : null,
  };
}

/** The traces that were found, and the partly expired ones among them, in order. */
async function withPartlyExpired(
  { store, wanted, found, stoppedAt }: Walk & Walked,
  partlyExpired: PartlyExpired,
  order: TraceOrder,
  after: ListPosition | null,
): Promise<ListedTrace[]> {
  const last = found[wanted - 1]?.position ?? stoppedAt;
  // They are the oldest of a project: usually the page ends before the newest record of them.
  if (last && order.sorted && order.descending && partlyExpired.newestNs < BigInt(last.value)) return found;
  const among = await store.partlyExpiredOf(partlyExpired, { after, last }, wanted);
  return [...found, ...among].toSorted((left, right) => comparePositions(order, left.position, right.position));
}

/**
 * Whether a list is read in one query instead of parts: an index finds the traces of a session and of a rare member, ids are few, and any order other
 * than the table's needs all rows, unless their texts are searched.
 */
function readsWhole(
  { session, traceId, sort, q }: Pick<ListTracesQuery, 'session' | 'traceId' | 'sort' | 'q'>,
  isRare: boolean,
  isRareText: boolean,
): boolean {
  if (session !== undefined || traceId !== undefined || isRareText) return true;
  return q === undefined && (isRare || !traceOrder(sort).sorted);
}

function stepsFor({ q, limit }: Pick<ListTracesQuery, 'q' | 'limit'>, hasMembers: boolean): WalkSteps {
  if (q !== undefined) return searchSteps;
  return { first: Math.max(256, 4 * limit) * (hasMembers ? 2 : 1), growth: hasMembers ? memberGrowth : 16 };
}

interface Walk {
  store: TraceListStore;
  /** null when the list is read in one query. */
  steps: WalkSteps | null;
  wanted: number;
  remainingMs(): number;
}

interface Walked {
  /** Up to `wanted` traces. */
  found: ListedTrace[];
  /** The position at which the time limit ended the search, if it did. */
  stoppedAt: ListPosition | null;
}

async function walkDown({ store, steps, wanted, remainingMs }: Walk, from: ListPosition | null): Promise<Walked> {
  const found: ListedTrace[] = [];
  let after = from;
  let size = steps?.first ?? 0;
  for (;;) {
    const beforeMs = remainingMs();
    const last = steps ? await store.endOfPart(after, size) : null;
    found.push(...(await store.tracesOf({ after, last }, wanted - found.length)));
    if (last === null || found.length >= wanted) return { found, stoppedAt: null };
    after = last;
    const leftMs = remainingMs();
    if (leftMs <= 0) return { found, stoppedAt: last };
    // The next part is limited to the remaining time. The time is proportional to the size of a part.
    const affordable = leftMs / Math.max(1, beforeMs - leftMs);
    size = Math.ceil(size * Math.max(1, Math.min(steps?.growth ?? 1, affordable)));
  }
}
