import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RangeQuery } from '../../../contract/common.ts';
import { readListFilter } from '../../../contract/filter/read-filter.ts';
import type { ListFilter } from '../../../contract/filter/read-filter.ts';
import { allOf } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { asksForSource } from '../filter/origin.ts';
import { candidateIds, retainedSummaries, sourceOf } from '../partly-expired.ts';
import type { PartlyExpired } from '../partly-expired.ts';
import { matchingSpans, wholeListing } from '../span-list/span-listing.ts';
import type { SpanListing } from '../span-list/span-listing.ts';
import { readingOfAll, searchTexts } from '../text-search/text-search.ts';
import type { TextReading } from '../filter/text-reading.ts';
import { timeRange } from '../time-range.ts';
import { conditionsOf, startedIn } from '../trace-filters.ts';
import type { TraceListing } from '../trace-list-store.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';

/** A span by its ids, or a trace, whose `spanId` is `''`. */
export interface RecordIds {
  traceId: string;
  spanId: string;
}

export interface RecordsQuery extends RangeQuery, ListFilter {
  on: 'spans' | 'traces';
}

/** Ids that are parsed at a time: others are served between two parts. */
const partSize = 5_000;

/**
 * The ids of the records that a list with this filter has, the newest first. One query reads them, so that they are those of one moment.
 *
 * @param most ids that are read
 * Errors: `invalid_request` for an invalid range, `invalid_filter`.
 */
export async function* matchingIds(
  context: Pick<TracesContext, 'clickhouse' | 'clock' | 'search'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  query: RecordsQuery,
  most: number,
): AsyncGenerator<RecordIds[]> {
  const nowMs = context.clock.now();
  const range = timeRange(query, nowMs);
  const readers = readersFor(context, tenant);
  if (query.on === 'spans') {
    const filter = readListFilter(query, 'spans', nowMs);
    const asked = { range, filter, anySource: asksForSource(filter), roots: false };
    const listing = await wholeListing(context.search, readers.whole, tenant.projectId, asked);
    yield* readIds(readers.whole, spanIdsSql(listing, most));
    return;
  }
  const conditions = conditionsOf({}, query, nowMs);
  const { reader, partlyExpired } = await sourceOf(readers, range.fromNs);
  const search = await searchTexts(context.search, reader, tenant.projectId, conditions.texts);
  yield* readIds(reader, traceIdsSql({ range, conditions }, partlyExpired, most, readingOfAll(search)));
}

/** SQL of the ids of the traces of a listing. */
export function traceIdsSql(
  { range, conditions }: Pick<TraceListing, 'range' | 'conditions'>,
  partlyExpired: PartlyExpired | null,
  most: number,
  reading: TextReading | null,
): SqlPart {
  const candidates = allOf([startedIn(range), ...conditions.ofSummary]);
  const among = candidateIds(candidates, partlyExpired);
  const withMembers = conditions.ofMembers.map((condition) => condition(among, reading));
  const { text, parameters } = retainedSummaries(candidates, 'trace_id, start_time', partlyExpired, withMembers);
  return { text: `SELECT trace_id AS t\nFROM ${text}\nORDER BY start_time DESC, trace_id DESC\nLIMIT ${most}`, parameters };
}

/** SQL of the ids of the spans of a listing. */
export function spanIdsSql(listing: SpanListing, most: number): SqlPart {
  const { text, parameters } = matchingSpans(listing);
  return {
    text: `SELECT trace_id AS t, span_id AS s
FROM ${listing.table} FINAL
${text}
ORDER BY start_time DESC, trace_id DESC, span_id DESC
LIMIT ${most}`,
    parameters,
  };
}

async function* readIds(reader: TenantReader, { text, parameters }: SqlPart): AsyncGenerator<RecordIds[]> {
  const lines = await reader.queryLines(text, parameters);
  let part: RecordIds[] = [];
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf('\n', at);
    const line = lines.slice(at, end === -1 ? lines.length : end);
    at = end === -1 ? lines.length : end + 1;
    if (line === '') continue;
    const { t, s = '' } = JSON.parse(line) as { t: string; s?: string };
    part.push({ traceId: t, spanId: s });
    if (part.length < partSize) continue;
    yield part;
    part = [];
    await nextTurn();
  }
  if (part.length > 0) yield part;
}
