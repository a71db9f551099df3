import type { ClickHouse } from '../../platform/clickhouse/index.ts';

/** What is stored of a trace beside the number of its spans. */
export interface ToldOfTrace {
  /** Its own and those of its spans. */
  scores: number;
  outcomes: number;
  /** Start of its newest span, or of its own record, epoch milliseconds; null without any. */
  newestMs: number | null;
}

const among = 'trace_id IN {traces:Array(String)}';

export const toldSql = `SELECT trace_id, toUInt32(sum(score)) AS scores, toUInt32(sum(outcome)) AS outcomes, max(newest) AS newest
FROM (
  SELECT trace_id, 1 AS score, 0 AS outcome, toInt64(0) AS newest FROM scores FINAL WHERE ${among}
  UNION ALL SELECT trace_id, 0 AS score, 1 AS outcome, toInt64(0) AS newest FROM outcomes FINAL WHERE ${among}
  UNION ALL SELECT trace_id, 0 AS score, 0 AS outcome, toInt64(toUnixTimestamp64Milli(start_time)) AS newest FROM spans FINAL WHERE ${among}
)
GROUP BY trace_id`;

/** What is stored of traces, of any age. */
export async function readTold(
  clickhouse: ClickHouse,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, ToldOfTrace>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<{ trace_id: string; scores: number; outcomes: number; newest: string | number }>(toldSql, {
    traces: [...traceIds],
  });
  return new Map(
    rows.map(({ trace_id: traceId, scores, outcomes, newest }) => [
      traceId,
      { scores, outcomes, newestMs: Number(newest) === 0 ? null : Number(newest) },
    ]),
  );
}

export const sessionsSql = `SELECT session_id FROM traces FINAL
WHERE session_id != '' AND session_id IN (SELECT session_id FROM traces FINAL WHERE ${among})
GROUP BY session_id
HAVING uniqExactIf(user_id, user_id != '') = 1`;

/** The sessions of traces of one user in which no other user takes part. */
export async function readSessions(clickhouse: ClickHouse, projectId: string, traceIds: readonly string[]): Promise<string[]> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<{ session_id: string }>(sessionsSql, { traces: [...traceIds] });
  return rows.map((row) => row.session_id);
}
