import { rangeDays } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RangeQuery } from '../../contract/traces.ts';

/** The start times of a list, nanoseconds since the epoch. */
export interface TimeRange {
  /** Inclusive. */
  fromNs: bigint;
  /** Exclusive. */
  beforeNs: bigint;
}

const dayMs = 86_400_000;
/** The last instant that ClickHouse can store. */
const lastNs = 9_223_372_036_854_775_807n;

/**
 * The start times selected by a list's `range`, or `from` and `to`. A range is whole UTC days up to today, and includes traces dated up to one
 * day ahead, as ingestion does. `from` and `to` are inclusive to the millisecond, the resolution of start times in responses.
 *
 * Errors: `invalid_request` for a range together with `from` or `to`, and for `from` after `to`.
 */
export function timeRange({ range, from, to }: RangeQuery, nowMs: number): TimeRange {
  const beforeNs = nanoseconds(nowMs + dayMs + 1);
  if (from === undefined && to === undefined) {
    const today = Math.floor(nowMs / dayMs) * dayMs;
    return { fromNs: nanoseconds(today - (rangeDays[range ?? '30d'] - 1) * dayMs), beforeNs };
  }
  if (range !== undefined)
    throw refusal('Send either range, or from and to; not both.', '/range', 'cannot be combined with from or to');
  const fromMs = from === undefined ? 0 : Date.parse(from);
  const toMs = to === undefined ? null : Date.parse(to);
  if (toMs !== null && fromMs > toMs) throw refusal('Send a from that is not after to.', '/from', 'must not be after to');
  return { fromNs: nanoseconds(fromMs), beforeNs: toMs === null ? beforeNs : nanoseconds(toMs + 1) };
}

function nanoseconds(ms: number): bigint {
  if (ms <= 0) return 0n;
  const ns = BigInt(ms) * 1_000_000n;
  return ns > lastNs ? lastNs : ns;
}

function refusal(sentence: string, path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [{ path, message }] });
}
