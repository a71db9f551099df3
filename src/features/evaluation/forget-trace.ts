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
