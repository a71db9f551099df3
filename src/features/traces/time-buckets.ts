import { dayMs, hourMs } from '../../contract/durations.ts';
import type { RangeQuery } from '../../contract/common.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { TimeRange } from './time-range.ts';

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

/** The buckets of a request's range, from the retention edge on. */
export function bucketsOfRange(
  { to }: RangeQuery,
  { fromNs }: TimeRange,
  { plan }: Pick<Tenant, 'plan'>,
  nowMs: number,
): Buckets {
  const startMs = Math.max(Number(fromNs / 1_000_000n), retentionCutoff(plan, nowMs));
  return bucketsOf(startMs, to === undefined ? nowMs : Date.parse(to));
}

/** SQL of the index of a row's bucket by its `start_time`. Rows dated ahead are in the last one. */
export function bucketSql({ startMs, lengthMs, count }: Buckets): SqlPart {
  return {
    text: 'least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64})',
    parameters: { start: String(startMs), length: String(lengthMs), last: String(count - 1) },
  };
}

/** Every bucket with its start in time order. @param rows at most one a bucket, with its index */
export function everyBucket<Row extends { bucket: number }, Counts extends object>(
  { startMs, lengthMs, count }: Buckets,
  rows: readonly Row[],
  countsOf: (row: Row | undefined) => Counts,
): Array<{ start: string } & Counts> {
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return Array.from({ length: count }, (_, index) => ({
    start: new Date(startMs + index * lengthMs).toISOString(),
    ...countsOf(byBucket.get(index)),
  }));
}
