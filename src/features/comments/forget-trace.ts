import type { CommentsContext } from './comments-context.ts';
import { deleteComments } from './delete-comment.ts';

/** Deletes the comments on deleted traces and their spans. May be repeated. */
export async function forgetTraces(
  context: Pick<CommentsContext, 'db' | 'clickhouse' | 'onUnwritten'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<void> {
  const stored = traceIds.filter((traceId) => traceId !== '' && !traceId.includes('\0'));
  if (stored.length === 0) return;
  await deleteComments(context, (comments) => comments.where('project_id', '=', projectId).where('trace_id', 'in', stored));
}
