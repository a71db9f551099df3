import type { SpanCounts, SpanCountsQuery } from '../../../contract/spans.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { exact } from '../../../platform/statistics/index.ts';
import { bucketsOf, maxBuckets } from '../count-traces.ts';
import type { Buckets } from '../count-traces.ts';
import { readFilter } from '../filter/read-filter.ts';
import { timeRange } from '../time-range.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { matchingSpans } from './span-listing.ts';
import type { SpanListing } from './span-listing.ts';

/**
 * How many spans a list with this filter has, over time, and the calls among them with their costs.
 *
 * Errors: `invalid_request` for an invalid range, `invalid_filter`.
 */
export async function countSpans(context: TracesContext, tenant: Tenant, query: SpanCountsQuery): Promise<SpanCounts> {
  const nowMs = context.clock.now();
  const range = timeRange(query, nowMs);
  const listing = { range, filter: readFilter(query.filter, 'spans', nowMs), roots: query.roots === 'true' };
  const startMs = Math.max(Number(range.fromNs / 1_000_000n), retentionCutoff(tenant.plan, nowMs));
  const buckets = bucketsOf(startMs, query.to === undefined ? nowMs : Date.parse(query.to));
  const reader = readersFor(context, tenant).partly;
  const read = <T>({ text, parameters }: SqlPart) => reader.query<T>(text, parameters);
  const [rows, [sums]] = await Promise.all([
    read<{ bucket: number; spans: number; errors: number }>(spanCountsSql(listing, buckets)),
    read<{ calls: number; cost: number }>(callSumsSql(listing)),
  ]);
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  const total = (name: 'spans' | 'errors') => rows.reduce((sum, row) => sum + row[name], 0);
  return {
    count: total('spans'),
    calls: sums?.calls ?? 0,
    costUsd: exact(sums?.cost ?? 0),
    errors: total('errors'),
    bucketMs: buckets.lengthMs,
    buckets: Array.from({ length: buckets.count }, (_, index) => ({
      start: new Date(buckets.startMs + index * buckets.lengthMs).toISOString(),
      count: byBucket.get(index)?.spans ?? 0,
      errors: byBucket.get(index)?.errors ?? 0,
    })),
  };
}

/** SQL of the numbers of spans by bucket. */
export function spanCountsSql(listing: SpanListing, { startMs, lengthMs, count }: Buckets): SqlPart {
  const matching = matchingSpans(listing);
  return {
    text: `SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS spans, countIf(status = 'error') AS errors
FROM spans FINAL
${matching.text}
GROUP BY bucket
LIMIT ${maxBuckets}`,
    parameters: { ...matching.parameters, start: String(startMs), length: String(lengthMs), last: String(count - 1) },
  };
}

/** SQL of the number of calls among the spans of a listing, and their costs. */
export function callSumsSql(listing: SpanListing): SqlPart {
  const matching = matchingSpans(listing);
  // `calls` has no spans of simulations: without a filter all of its rows count.
  const isAll = listing.filter === null && !listing.roots;
  const among = isAll
    ? ''
    : `\n  AND (trace_id, span_id) GLOBAL IN (\n    SELECT trace_id, span_id FROM spans FINAL\n    ${indented(matching.text, 4)}\n  )`;
  return {
    text: `SELECT count() AS calls, sum(cost) AS cost
FROM calls FINAL
WHERE model != '' AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  AND hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({to:Int64}))${among}`,
    parameters: matching.parameters,
  };
}
