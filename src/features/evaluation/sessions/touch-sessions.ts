import { sql } from 'kysely';
import type { WrittenSpans } from '../../ingest/index.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { readTraceFacts } from '../online/trace-facts.ts';
import { sessionKeyOf } from '../score-id.ts';
import { Turns } from '../turns.ts';

/** Rows of one statement. */
const chunkSize = 1_000;

/**
 * Notes that spans have come for the sessions they belong to: their own, or for a span that names none its trace's. Silence is counted from
 * the moment a span came, not from the times in it, which may be of another clock or of long ago. Repeating it changes nothing.
 *
 * @param receivedMs when the last of them came
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
  const turns = new Turns();
  const rows: Array<{ key: string; id: string }> = [];
  for (const sessionId of sessions) {
    rows.push({ key: sessionKeyOf(projectId, sessionId), id: JSON.stringify(sessionId) });
    await turns.after(1);
  }
  // In one order everywhere: two replicas would otherwise wait for each other.
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
