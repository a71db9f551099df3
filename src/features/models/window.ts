import { rangeDays } from '../../contract/common.ts';
import type { RangeName } from '../../contract/common.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';

const daySeconds = 86_400;
const hourSeconds = 3_600;

/** What a read looks at. Hours are their starts in epoch seconds. */
export interface Window {
  /** First hour, and the hour after the last. */
  from: number;
  to: number;
  /** Older rows are not shown, epoch milliseconds. */
  oldestMs: number;
  /** What starts before it is not read from rollups: the retention's edge runs through it (epoch seconds). */
  rollupsFrom: number;
}

/** The whole UTC days of a range, counted back from today and including it, clipped by retention (contract section 5). */
export function windowOf(range: RangeName, plan: Plan, nowMs: number): Window {
  const today = Math.floor(nowMs / 1000 / daySeconds) * daySeconds;
  const from = today - (rangeDays[range] - 1) * daySeconds;
  const oldestMs = retentionCutoff(plan, nowMs);
  const oldestHour = Math.floor(oldestMs / 1000 / hourSeconds) * hourSeconds;
  return {
    from: Math.max(from, oldestHour),
    to: today + daySeconds,
    oldestMs,
    rollupsFrom: Math.max(from, Math.ceil(oldestMs / 1000)),
  };
}
