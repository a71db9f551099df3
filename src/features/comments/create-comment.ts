import { v7 as uuidv7 } from 'uuid';
import type { Comment, CommentBody } from '../../contract/comments.ts';
import { ServiceError } from '../../contract/errors.ts';
import { noteRows, writeAtOnce } from './commented-rows.ts';
import type { CommentActor, CommentsContext } from './comments-context.ts';
import { deleteComments } from './delete-comment.ts';
import { findMentions } from './find-mentions.ts';
import { findTarget } from './find-target.ts';
import { setMentions } from './set-mentions.ts';
import { findComment, toComment } from './stored-comment.ts';

/**
 * Writes a comment on a trace or a span, and tells the members whom it mentions (docs/semantics.md, "Comments").
 *
 * Errors: `not_found` for a trace or span that is not there, `invalid_request` for too many mentions.
 */
export async function createComment(
  context: CommentsContext,
  { tenant, actor }: CommentActor,
  { traceId, spanId, body, anchor }: CommentBody,
): Promise<Comment> {
  const { newestMs } = await findTarget(context, tenant, traceId, spanId ?? '');
  const mentioned = await findMentions(context.db, tenant.organizationId, body);
  const now = new Date(context.clock.now());
  const row = {
    id: uuidv7({ msecs: now.getTime() }),
    project_id: tenant.projectId,
    trace_id: traceId,
    span_id: spanId ?? '',
    body,
    anchor: anchor ? JSON.stringify(anchor) : null,
    author_id: actor.id,
    author_name: actor.name,
    created_at: now,
    edited_at: null,
    resolved_at: null,
    trace_time: new Date(newestMs),
  };
  const noted = await context.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('comments').values(row).execute();
    // The mail waits until the trace is known to be there still.
    await setMentions(transaction, context, row.id, mentioned);
    return noteRows(transaction, [row], 1);
  });
  await refuseIfDeleted(context, { tenant, traceId, spanId: row.span_id, commentId: row.id });
  await writeAtOnce(context, noted);
  return toComment(await findComment(context, tenant, row.id));
}

/** A trace that was deleted meanwhile takes the comments that it finds with it; one that was written behind is withdrawn here. */
async function refuseIfDeleted(
  context: CommentsContext,
  { tenant, traceId, spanId, commentId }: { tenant: CommentActor['tenant']; traceId: string; spanId: string; commentId: string },
): Promise<void> {
  try {
    await findTarget(context, tenant, traceId, spanId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found')
      await deleteComments(context, (comments) => comments.where('id', '=', commentId));
    throw error;
  }
}
