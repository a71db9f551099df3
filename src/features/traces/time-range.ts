import type { RangeQuery } from '../../contract/common.ts';
import { timeRangeOf } from '../../contract/time-range.ts';
import { dayMs } from '../../contract/durations.ts';

/** The start times of a list, nanoseconds since the epoch. */
export interface TimeRange {
  /** Inclusive. */
  fromNs: bigint;
  /** Exclusive. */
  beforeNs: bigint;
}

/** The last instant that ClickHouse can store. */
const lastNs = 9_223_372_036_854_775_807n;

/**
 * The start times selected by a list's `range`, or `from` and `to`. Without `to` it includes traces dated up to one day ahead, as
 * ingestion does.
 *
 * Errors: `invalid_request` for a range together with `from` or `to`, and for `from` after `to`.
 */
export function timeRange(query: RangeQuery, nowMs: number): TimeRange {
  const { fromMs, beforeMs } = timeRangeOf(query, nowMs);
  return { fromNs: nanoseconds(fromMs), beforeNs: nanoseconds(beforeMs ?? nowMs + dayMs + 1) };
}

function nanoseconds(ms: number): bigint {
  if (ms <= 0) return 0n;
  const ns = BigInt(ms) * 1_000_000n;
  return ns > lastNs ? lastNs : ns;
}
