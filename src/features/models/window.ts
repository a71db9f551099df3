import { rangeDays } from '../../contract/common.ts';
import type { RangeName } from '../../contract/common.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';

const daySeconds = 86_400;
const hourSeconds = 3_600;

/** The window of a read. Hours are given by their starts in epoch seconds. */
export interface Window {
  /** First hour, and the hour after the last. */
  from: number;
  to: number;
  /** The retention edge, epoch milliseconds: older rows are excluded. */
  oldestMs: number;
  /** Hours and days that start before it contain the retention edge and are read from rows (epoch seconds). */
  rollupsFrom: number;
}

/** The whole UTC days of a range, up to and including today, cut at the retention edge (docs/semantics.md, "Ranges and days"). */
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
