import type { TraceCounts, TraceCountsQuery } from '../../contract/traces.ts';
import { allOf } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact } from '../../platform/statistics/index.ts';
import type { WithView } from '../views/index.ts';
import { candidateIds, retainedSummaries, sourceOf } from './partly-expired.ts';
import type { SummarySource } from './partly-expired.ts';
import { readingOfAll, searchTexts } from './text-search/text-search.ts';
import type { TextReading } from './filter/text-reading.ts';
import { bucketSql, bucketsOfRange, everyBucket, maxBuckets } from './time-buckets.ts';
import type { Buckets } from './time-buckets.ts';
import { timeRange } from './time-range.ts';
import { conditionsOf, startedIn } from './trace-filters.ts';
import type { TraceListing } from './trace-list-store.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * The number of traces over time that a list with these filters has (docs/semantics.md, "Lists of traces").
 *
 * Errors: `invalid_request` for an invalid range, `invalid_filter`.
 */
export async function countTraces(
  context: TracesContext,
  tenant: Tenant,
  query: WithView<TraceCountsQuery>,
): Promise<TraceCounts> {
  const nowMs = context.clock.now();
  const { range: _range, from: _from, to: _to, filter: _filter, viewFilter: _viewFilter, ...filters } = query;
  const conditions = conditionsOf(filters, query, nowMs);
  const range = timeRange(query, nowMs);
  const buckets = bucketsOfRange(query, range, tenant, nowMs);
  const source = await sourceOf(readersFor(context, tenant), range.fromNs);
  const search = await searchTexts(context.search, source.reader, tenant.projectId, conditions.texts);
  const { text, parameters } = countsSql({ range, conditions }, buckets, source.partlyExpired, readingOfAll(search));
  const rows = await source.reader.query<CountRow>(text, parameters);
  return {
    bucketMs: buckets.lengthMs,
    buckets: everyBucket(buckets, rows, (row) => ({
      traces: row?.traces ?? 0,
      errors: row?.errors ?? 0,
      costUsd: exact(row?.cost_usd ?? 0),
    })),
  };
}

interface CountRow {
  bucket: number;
  traces: number;
  errors: number;
  cost_usd: number;
}

/** SQL of {@link countTraces}. */
export function countsSql(
  { range, conditions }: Pick<TraceListing, 'range' | 'conditions'>,
  buckets: Buckets,
  partlyExpired: SummarySource['partlyExpired'],
  reading: TextReading | null = null,
): SqlPart {
  const candidates = allOf([startedIn(range), ...conditions.ofSummary]);
  const among = candidateIds(candidates, partlyExpired);
  const withMembers = conditions.ofMembers.map((condition) => condition(among, reading));
  const counted = retainedSummaries(candidates, 'trace_id, start_time, error, cost', partlyExpired, withMembers);
  const bucket = bucketSql(buckets);
  return {
    text: `SELECT ${bucket.text} AS bucket,
  count() AS traces, countIf(error = 1) AS errors, sum(cost) AS cost_usd
FROM ${counted.text}
GROUP BY bucket
LIMIT ${maxBuckets}`,
    parameters: { ...counted.parameters, ...bucket.parameters },
  };
}
