import type { Comment, CommentChange } from '../../contract/comments.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { CommentActor, CommentsContext } from './comments-context.ts';
import { findMentions } from './find-mentions.ts';
import { setMentions } from './set-mentions.ts';
import { findComment, noComment, toComment } from './stored-comment.ts';

/**
 * Changes the body of a comment, or resolves it or opens it again (docs/semantics.md, "Comments").
 *
 * Errors: `not_found`; `forbidden` for the body of another person's comment; `invalid_request` for too many mentions.
 */
export async function changeComment(
  context: CommentsContext,
  { tenant, actor }: CommentActor,
  commentId: string,
  { body, resolved }: CommentChange,
): Promise<Comment> {
  const before = await findComment(context, tenant, commentId);
  if (body !== undefined && before.author_id !== actor.id)
    throw new ServiceError('forbidden', 'Write a comment of your own; the text of a comment is changed by its author alone.');
  const now = new Date(context.clock.now());
  const edited = body !== undefined && body !== before.body ? body : null;
  const mentioned = edited === null ? [] : await findMentions(context.db, tenant.organizationId, edited);
  const changes = {
    ...(edited === null ? {} : { body: edited, edited_at: now }),
    // Resolved once more it keeps its time.
    ...(resolved === undefined || resolved === (before.resolved_at !== null) ? {} : { resolved_at: resolved ? now : null }),
  };
  if (Object.keys(changes).length === 0) return toComment(before);
  await context.db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('comments')
      .set(changes)
      .where('id', '=', before.id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw noComment();
    if (edited !== null) await setMentions(transaction, context, before.id, mentioned);
  });
  return toComment(await findComment(context, tenant, before.id));
}
