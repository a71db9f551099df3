import { blankScore } from '../records/index.ts';
import type { IngestTenant } from '../trace-store/index.ts';
import type { ScoresContext } from './scores-context.ts';

export const scoresOfSessionsSql = `SELECT score_id, session_id, toUnixTimestamp64Milli(start_time) AS ms FROM scores FINAL
WHERE trace_id = '' AND session_id IN {sessions:Array(String)}`;

/** Scores that are withdrawn at once. */
const atOnce = 500;

/** Withdraws the scores of sessions themselves (docs/semantics.md, "Deletion of user data"). What is left of them has no text. May be repeated. */
export async function forgetScoresOfSessions(
  { clickhouse, pipeline }: Pick<ScoresContext, 'clickhouse' | 'pipeline'>,
  tenant: IngestTenant,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const reader = clickhouse.forTenant({ projectId: tenant.projectId, oldestMs: null });
  const rows = await reader.query<{ score_id: string; session_id: string; ms: number }>(scoresOfSessionsSql, {
    sessions: [...sessionIds],
  });
  for (let at = 0; at < rows.length; at += atOnce) {
    const scores = rows.slice(at, at + atOnce).map((row) => ({
      ...blankScore,
      scoreId: row.score_id,
      sessionId: row.session_id,
      timestampMs: row.ms,
      withdrawn: true as const,
    }));
    await pipeline.accept(tenant, { spans: [], scores }, 0);
  }
}
