import { dayMs, hourMs } from '../../contract/durations.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { TraceCounts, TraceCountsQuery } from '../../contract/traces.ts';
import { allOf } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { candidateIds, retainedSummaries, sourceOf } from './partly-expired.ts';
import type { SummarySource } from './partly-expired.ts';
import { timeRange } from './time-range.ts';
import { conditionsOf, startedIn } from './trace-filters.ts';
import type { TraceListing } from './trace-list-store.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

export const maxBuckets = 60;

const [second, minute, hour, day] = [1000, 60_000, hourMs, dayMs];
/** Lengths of buckets, in milliseconds. Longer ones are whole days. */
const lengths = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
];

/** The buckets of a range: the first start and the length in milliseconds, and their number. */
export interface Buckets {
  startMs: number;
  lengthMs: number;
  count: number;
}

/** Divides a range into at most {@link maxBuckets} buckets, aligned to UTC. @param endMs inclusive */
export function bucketsOf(startMs: number, endMs: number): Buckets {
  for (let index = 0; ; index++) {
    const lengthMs = lengths[index] ?? (index - lengths.length + 1) * day;
    const first = Math.floor(startMs / lengthMs);
    const count = Math.floor(Math.max(endMs, startMs) / lengthMs) - first + 1;
    if (count <= maxBuckets) return { startMs: first * lengthMs, lengthMs, count };
  }
}

/**
 * The number of traces over time that a list with these filters has (docs/semantics.md, "Lists of traces").
 *
 * Errors: `invalid_request` for an invalid range.
 */
export async function countTraces(context: TracesContext, tenant: Tenant, query: TraceCountsQuery): Promise<TraceCounts> {
  const nowMs = context.clock.now();
  const { range: _range, from: _from, to, filter: written, ...filters } = query;
  const conditions = conditionsOf(filters, written, nowMs);
  const range = timeRange(query, nowMs);
  const startMs = Math.max(Number(range.fromNs / 1_000_000n), retentionCutoff(tenant.plan, nowMs));
  const buckets = bucketsOf(startMs, to === undefined ? nowMs : Date.parse(to));
  const source = await sourceOf(readersFor(context, tenant), range.fromNs);
  const { text, parameters } = countsSql({ range, conditions }, buckets, source.partlyExpired);
  const rows = await source.reader.query<CountRow>(text, parameters);
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return {
    bucketMs: buckets.lengthMs,
    buckets: Array.from({ length: buckets.count }, (_, index) => ({
      start: new Date(buckets.startMs + index * buckets.lengthMs).toISOString(),
      traces: byBucket.get(index)?.traces ?? 0,
      errors: byBucket.get(index)?.errors ?? 0,
    })),
  };
}

interface CountRow {
  bucket: number;
  traces: number;
  errors: number;
}

/** SQL of {@link countTraces}. */
export function countsSql(
  { range, conditions }: Pick<TraceListing, 'range' | 'conditions'>,
  { startMs, lengthMs, count }: Buckets,
  partlyExpired: SummarySource['partlyExpired'],
): SqlPart {
  const candidates = allOf([startedIn(range), ...conditions.ofSummary]);
  const among = candidateIds(candidates, partlyExpired);
  const withMembers = conditions.ofMembers.map((condition) => condition(among));
  const counted = retainedSummaries(candidates, 'trace_id, start_time, error', partlyExpired, withMembers);
  return {
    text: `SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS traces, countIf(error = 1) AS errors
FROM ${counted.text}
GROUP BY bucket
LIMIT ${maxBuckets}`,
    parameters: { ...counted.parameters, start: String(startMs), length: String(lengthMs), last: String(count - 1) },
  };
}
