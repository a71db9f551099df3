import type { RangeQuery } from '../../contract/common.ts';
import type { Plan } from '../../contract/plans.ts';
import { windowOf } from './window.ts';

/**
 * The window of a range ({@link windowOf}) for queries of rows: its times as parameters, epoch milliseconds with the second exclusive, and the retention
 * edge in epoch milliseconds. Errors: `invalid_request`.
 */
export function timesOf(
  query: RangeQuery,
  plan: Plan,
  nowMs: number,
): { times: { from: string; before: string }; oldestMs: number } {
  const { from, to, rows, oldestMs } = windowOf(query, plan, nowMs);
  return { times: { from: String(rows?.fromMs ?? from * 1000), before: String(rows?.beforeMs ?? to * 1000) }, oldestMs };
}
