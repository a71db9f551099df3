import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { ScopeFigure } from '../evaluate-scopes.ts';
import type { Steps } from './read-steps.ts';
import { hourMs } from '../../../contract/durations.ts';

/** The newest start of a span in each hour before `toMs`. Spans that were replaced or deleted since count too, which saves a slow read. */
const newestSql = `SELECT intDiv(toUInt64({toMs:Int64} - toUnixTimestamp64Milli(start_time)), ${hourMs}) AS ago, toUnixTimestamp64Milli(max(start_time)) AS newest
FROM spans
WHERE span_id != '' AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time <= fromUnixTimestamp64Milli({toMs:Int64})
GROUP BY ago`;

/**
 * Seconds since the newest span started, at every hour before `toMs`, by the number of hours before it. Arrivals of the past are not stored, so starts
 * stand for them.
 */
export async function readSilences(reader: TenantReader, { toMs, steps }: { toMs: number; steps: number }): Promise<Steps> {
  const rows = await reader.query<{ ago: number; newest: number }>(newestSql, { fromMs: toMs - steps * hourMs, toMs });
  const newestOf = new Map(rows.map(({ ago, newest }) => [ago, newest]));
  const found = new Map<number, ScopeFigure[]>();
  let newestMs: number | null = null;
  for (let ago = steps; ago >= 0; ago--) {
    newestMs = Math.max(newestMs ?? 0, newestOf.get(ago) ?? 0) || null;
    const value = newestMs === null ? null : (toMs - ago * hourMs - newestMs) / 1_000;
    found.set(ago, [{ scope: '', count: value === null ? 0 : 1, value }]);
  }
  return { figures: found, read: steps };
}
