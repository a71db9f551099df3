import type { QueueContext } from './evaluation-context.ts';

/** Deletes the evaluations of a deleted trace and its spans, whose comments may quote it. */
export async function forgetTrace({ db }: Pick<QueueContext, 'db'>, projectId: string, traceId: string): Promise<void> {
  if (traceId === '' || traceId.includes('\0')) return;
  await db.deleteFrom('evaluations').where('project_id', '=', projectId).where('trace_id', '=', traceId).execute();
}
