import { readRange } from './common.ts';
import type { RangeName, RangeQuery } from './common.ts';
import { ServiceError } from './errors.ts';
import { dayMs, hourMs } from './durations.ts';

/** The start times of a read, epoch milliseconds. */
export interface TimeRange {
  /** Inclusive. */
  fromMs: number;
  /** Exclusive; null without a `to`. */
  beforeMs: number | null;
}

const defaultRange: RangeName = '30d';

/**
 * The start times of `range`, or of `from` and `to`, which are inclusive to the millisecond (docs/semantics.md, "Ranges and days").
 *
 * Errors: `invalid_request` for a range together with `from` or `to`, and for `from` after `to`.
 */
export function timeRangeOf({ range, from, to }: RangeQuery, nowMs: number): TimeRange {
  if (from === undefined && to === undefined) return { fromMs: startOf(range ?? defaultRange, nowMs), beforeMs: null };
  if (range !== undefined)
    throw invalidRange('Send either range, or from and to; not both.', '/range', 'cannot be combined with from or to');
  const fromMs = from === undefined ? 0 : Date.parse(from);
  const toMs = to === undefined ? null : Date.parse(to);
  if (toMs !== null && fromMs > toMs) throw invalidRange('Send a from that is not after to.', '/from', 'must not be after to');
  return { fromMs, beforeMs: toMs === null ? null : toMs + 1 };
}

function startOf(range: string, nowMs: number): number {
  const { count, unit } = readRange(range) ?? { count: 30, unit: 'd' };
  if (unit === 'd') return Math.floor(nowMs / dayMs) * dayMs - (count - 1) * dayMs;
  return nowMs - count * (unit === 'h' ? hourMs : 60_000);
}

/** The error for a time range that cannot be read; `path` points to the parameter. */
export function invalidRange(sentence: string, path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [{ path, message }] });
}
