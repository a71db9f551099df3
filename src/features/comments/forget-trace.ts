import type { CommentsContext } from './comments-context.ts';
import { deleteComments } from './delete-comment.ts';

/** Deletes the comments on a deleted trace and its spans. May be repeated. */
export async function forgetTrace(
  context: Pick<CommentsContext, 'db' | 'clickhouse' | 'onUnwritten'>,
  projectId: string,
  traceId: string,
): Promise<void> {
  if (traceId === '' || traceId.includes('\0')) return;
  await deleteComments(context, (comments) => comments.where('project_id', '=', projectId).where('trace_id', '=', traceId));
}
