import { readListFilter } from '../../../contract/filter/read-filter.ts';
import type { SpanCounts, SpanCountsQuery } from '../../../contract/spans.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { exact } from '../../../platform/statistics/index.ts';
import type { WithView } from '../../views/index.ts';
import { bucketSql, bucketsOfRange, everyBucket, maxBuckets } from '../time-buckets.ts';
import type { Buckets } from '../time-buckets.ts';
import { asksForSource } from '../filter/origin.ts';
import { timeRange } from '../time-range.ts';
import { readerFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { Binder } from '../filter/binder.ts';
import { callCondition } from '../filter/call-conditions.ts';
import { matchingSpans, wholeListing } from './span-listing.ts';
import { wholeOf } from './time-part.ts';
import type { SpanListing } from './span-listing.ts';

/**
 * How many spans a list with this filter has, over time, and the calls among them with their costs.
 *
 * Errors: `invalid_request` for an invalid range, `invalid_filter`.
 */
export async function countSpans(context: TracesContext, tenant: Tenant, query: WithView<SpanCountsQuery>): Promise<SpanCounts> {
  const nowMs = context.clock.now();
  const range = timeRange(query, nowMs);
  const filter = readListFilter(query, 'spans', nowMs);
  const buckets = bucketsOfRange(query, range, tenant, nowMs);
  const reader = readerFor(context, tenant);
  const asked = { range, filter, anySource: asksForSource(filter), roots: query.roots === 'true' };
  const listing = await wholeListing(context.search, reader, tenant.projectId, asked);
  const read = <T>({ text, parameters }: SqlPart) => reader.query<T>(text, parameters);
  const [rows, calls] = await Promise.all([
    read<{ bucket: number; spans: number; errors: number }>(spanCountsSql(listing, buckets)),
    read<CallSums>(callSumsSql(listing, buckets)),
  ]);
  const total = (name: 'spans' | 'errors') => rows.reduce((sum, row) => sum + row[name], 0);
  const ofCalls = (name: 'calls' | 'unpriced' | 'partly_priced' | 'cost') => calls.reduce((sum, row) => sum + row[name], 0);
  const costOf = new Map(calls.map(({ bucket, cost }) => [bucket, cost]));
  return {
    count: total('spans'),
    calls: ofCalls('calls'),
    unpricedCalls: ofCalls('unpriced'),
    partlyPricedCalls: ofCalls('partly_priced'),
    costUsd: exact(ofCalls('cost')),
    errors: total('errors'),
    bucketMs: buckets.lengthMs,
    buckets: everyBucket(buckets, rows, (row) => ({
      count: row?.spans ?? 0,
      errors: row?.errors ?? 0,
      costUsd: exact(row === undefined ? 0 : (costOf.get(row.bucket) ?? 0)),
    })),
  };
}

interface CallSums {
  bucket: number;
  calls: number;
  unpriced: number;
  partly_priced: number;
  cost: number;
}

/** SQL of the numbers of spans by bucket. */
export function spanCountsSql(listing: SpanListing, buckets: Buckets): SqlPart {
  const matching = matchingSpans(listing);
  const bucket = bucketSql(buckets);
  return {
    text: `SELECT ${bucket.text} AS bucket,
  count() AS spans, countIf(status = 'error') AS errors
FROM ${listing.table} FINAL
${matching.text}
GROUP BY bucket
LIMIT ${maxBuckets}`,
    parameters: { ...matching.parameters, ...bucket.parameters },
  };
}

/** SQL of the number of calls among the spans of a listing, and their costs, by bucket. */
export function callSumsSql(listing: SpanListing, buckets: Buckets): SqlPart {
  const direct = new Binder('call', null, null, listing.given);
  const condition = listing.filter === null || listing.roots ? null : callCondition(listing.filter, direct);
  if (condition !== null) return sumsOf(listing, buckets, direct.part(`\n  AND ${condition}`));
  const matching = matchingSpans(listing);
  // `calls` has no spans of simulations and evaluations: without a filter all of its rows count.
  const isAll = listing.filter === null && !listing.roots;
  const among = isAll
    ? ''
    : `\n  AND (trace_id, span_id) GLOBAL IN (\n    SELECT trace_id, span_id FROM ${listing.table} FINAL\n    ${indented(matching.text, 4)}\n    AND kind IN ('llm', 'embedding')\n  )`;
  return sumsOf(listing, buckets, { text: among, parameters: matching.parameters });
}

/** @param among a further condition, with AND */
function sumsOf(listing: SpanListing, buckets: Buckets, among: SqlPart): SqlPart {
  const bucket = bucketSql(buckets);
  const { fromNs, toNs } = wholeOf(listing.range);
  return {
    text: `SELECT ${bucket.text} AS bucket,
  count() AS calls, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sum(cost) AS cost
FROM calls FINAL
WHERE model != '' AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  AND hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({to:Int64}))${among.text}
GROUP BY bucket
LIMIT ${maxBuckets}`,
    parameters: { ...among.parameters, ...bucket.parameters, from: String(fromNs), to: String(toNs) },
  };
}
