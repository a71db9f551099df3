import { sql } from 'kysely';
import type { WrittenSpans } from '../../trace-store/index.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { EventLoopTurns } from '../event-loop-turns.ts';
import { readTraceFacts } from '../sampling/trace-facts.ts';
import { sessionKeyOf } from '../score-id.ts';

/** Rows per statement. */
const chunkSize = 1_000;

/**
 * Records activity of the sessions of arriving spans; a span without a session id belongs to its trace's session. The idle time counts
 * from the arrival of a span, not from the times in it, which come from other clocks. Idempotent.
 *
 * @param receivedMs arrival of the last span
 */
export async function touchSessions(
  context: Pick<QueueContext, 'db' | 'clickhouse'>,
  projectId: string,
  spans: WrittenSpans['spans'],
  receivedMs: number,
): Promise<void> {
  const sessions = new Set(spans.map((span) => span.sessionId));
  const others = await readTraceFacts(context.clickhouse, projectId, tracesWithout(spans));
  for (const { sessionId } of others.values()) sessions.add(sessionId);
  sessions.delete('');
  const turns = new EventLoopTurns();
  const rows: Array<{ key: string; id: string }> = [];
  for (const sessionId of sessions) {
    rows.push({ key: sessionKeyOf(projectId, sessionId), id: JSON.stringify(sessionId) });
    await turns.after(1);
  }
  // One lock order in all replicas avoids deadlocks.
  rows.sort((left, right) => (left.key < right.key ? -1 : 1));
  const at = new Date(receivedMs).toISOString();
  for (let from = 0; from < rows.length; from += chunkSize) {
    const chunk = rows.slice(from, from + chunkSize);
    await sql`INSERT INTO evaluation_sessions (project_id, session_key, session_id, last_span_at, open)
      SELECT p.id, new.key, new.id, ${at}::timestamptz, true
      FROM unnest(${chunk.map(({ key }) => key)}::uuid[], ${chunk.map(({ id }) => id)}::text[]) WITH ORDINALITY AS new (key, id, place)
      JOIN projects p ON p.id = ${projectId}::uuid
      ORDER BY new.place
      ON CONFLICT (project_id, session_key) DO UPDATE SET last_span_at = excluded.last_span_at, open = true
        WHERE evaluation_sessions.last_span_at < excluded.last_span_at`.execute(context.db);
  }
}

function tracesWithout(spans: WrittenSpans['spans']): string[] {
  const named = new Set(spans.filter((span) => span.sessionId !== '').map((span) => span.traceId));
  return [...new Set(spans.map((span) => span.traceId))].filter((traceId) => !named.has(traceId));
}
