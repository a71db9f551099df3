import type { QueueContext } from './evaluation-context.ts';

/** Deletes the evaluations of deleted traces and their spans, whose comments may quote them. */
export async function forgetTraces(
  { db }: Pick<QueueContext, 'db'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<void> {
  const stored = traceIds.filter((traceId) => traceId !== '' && !traceId.includes('\0'));
  if (stored.length === 0) return;
  await db.deleteFrom('evaluations').where('project_id', '=', projectId).where('trace_id', 'in', stored).execute();
}

/** Deletes the evaluations of sessions, whose comments may quote them. */
export async function forgetSessions(
  { db }: Pick<QueueContext, 'db'>,
  projectId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const stored = sessionIds.filter((sessionId) => sessionId !== '' && !sessionId.includes('\0'));
  if (stored.length === 0) return;
  await db
    .deleteFrom('evaluations')
    .where('project_id', '=', projectId)
    .where('target_type', '=', 'session')
    .where('session_id', 'in', stored)
    .execute();
}
