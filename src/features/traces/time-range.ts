import { rangeDays } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RangeQuery } from '../../contract/traces.ts';

/** Start times that a list takes, nanoseconds since the epoch. */
export interface TimeRange {
  /** The first one. */
  fromNs: bigint;
  /** The first one that is too late. */
  beforeNs: bigint;
}

const dayMs = 86_400_000;
/** The last instant that the database can hold. */
const lastNs = 9_223_372_036_854_775_807n;

/**
 * What a list's `range`, or `from` and `to`, mean. A range counts back whole UTC days, today included, and takes what is dated up to
 * a day ahead, as ingestion does. `from` and `to` are both inside, to the millisecond, since start times are shown with milliseconds.
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
