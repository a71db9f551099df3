import type { Comment, ListCommentsQuery } from '../../contract/comments.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { storableText } from '../../platform/text/index.ts';
import { oldestComment } from './comments-context.ts';
import type { CommentsContext } from './comments-context.ts';
import { findTarget } from './find-target.ts';
import { selectComments, toComment } from './stored-comment.ts';

const oldestFirst = byCreation('asc', { createdAt: 'c.created_at', id: 'c.id' });

/** The comments on a trace and its spans, oldest first. Errors: `not_found` for a trace that is not there. */
export async function listComments(
  context: CommentsContext,
  tenant: Tenant,
  { traceId, ...page }: ListCommentsQuery,
): Promise<{ comments: Comment[]; nextCursor: string | null }> {
  await findTarget(context, tenant, traceId);
  const select = selectComments(context.db)
    .where('c.project_id', '=', tenant.projectId)
    .where('c.trace_id', '=', storableText(traceId))
    .where('c.created_at', '>=', oldestComment(context, tenant));
  const { rows, nextCursor } = await oldestFirst.read(select, page);
  return { comments: rows.map(toComment), nextCursor };
}
