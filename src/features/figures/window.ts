import type { TimelineQuery } from '../../contract/models.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import { invalidRange, timeRangeOf } from '../../contract/time-range.ts';
import { dayMs, hourMs, hourSeconds } from '../../contract/durations.ts';

/** Maximum days of a response with one row an hour. */
const maxHourlyDays = 31;

/** The length of the rows of a timeline. */
export type Interval = NonNullable<TimelineQuery['interval']>;

/** The window of a read. Hours are given by their starts in epoch seconds. */
export interface Window {
  /** First hour, and the hour after the last. */
  from: number;
  to: number;
  /** Epoch milliseconds, the second exclusive: rows outside are excluded, where the window has partial hours. */
  rows: { fromMs: number; beforeMs: number } | null;
  /** The retention edge, epoch milliseconds: older rows are excluded. */
  oldestMs: number;
  /** Hours and days that start before `rollupsFrom`, or end after `rollupsTo`, are read from rows (epoch seconds). */
  rollupsFrom: number;
  rollupsTo: number;
  interval: Interval;
}

/**
 * The window of a range, cut at the retention edge (docs/semantics.md, "Ranges and days"). Without `to` it ends with today.
 *
 * Errors: `invalid_request` for a range together with `from` or `to`, for `from` not before `to`, and for too many hours.
 */
export function windowOf(query: TimelineQuery, plan: Plan, nowMs: number): Window {
  const { fromMs, beforeMs } = timeRangeOf(query, nowMs);
  if (beforeMs !== null && beforeMs - 1 === fromMs)
    throw invalidRange('Send a from that is before to.', '/from', 'must be before to');
  const endMs = Math.floor(nowMs / dayMs) * dayMs + dayMs;
  // Later records are not accepted, and the engine has no times as far from now as a caller can send.
  const lastMs = Math.min(beforeMs ?? endMs, endMs + 2 * dayMs);
  const oldestMs = retentionCutoff(plan, nowMs);
  const firstMs = Math.min(Math.max(fromMs, Math.floor(oldestMs / hourMs) * hourMs), lastMs);
  const interval = query.interval ?? 'day';
  // `to` is inclusive: exactly 31 days from `from` to `to` are read one millisecond further.
  if (interval === 'hour' && lastMs - 1 - firstMs > maxHourlyDays * dayMs)
    throw invalidRange(
      `Ask for at most ${maxHourlyDays} days with interval=hour.`,
      '/interval',
      'must be day for a longer range',
    );
  return windowBetween(firstMs, lastMs, { oldestMs, interval });
}

/** The window of a time, epoch milliseconds. @param lastMs exclusive */
export function windowBetween(
  firstMs: number,
  lastMs: number,
  { oldestMs, interval }: Pick<Window, 'oldestMs' | 'interval'>,
): Window {
  const isPartial = firstMs % hourMs !== 0 || lastMs % hourMs !== 0;
  return {
    from: Math.floor(firstMs / hourMs) * hourSeconds,
    to: Math.ceil(lastMs / hourMs) * hourSeconds,
    rows: isPartial ? { fromMs: firstMs, beforeMs: lastMs } : null,
    oldestMs,
    rollupsFrom: Math.ceil(Math.max(firstMs, oldestMs) / 1000),
    rollupsTo: Math.floor(lastMs / 1000),
    interval,
  };
}
