import type { DeleteQueryBuilder, DeleteResult } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { Tables, Transaction } from '../../platform/postgres/index.ts';
import { recordAudit } from '../audit/index.ts';
import { noteRows, writeAtOnce } from './commented-rows.ts';
import type { CommentActor, CommentsContext } from './comments-context.ts';
import { findComment } from './stored-comment.ts';

type Deletion = DeleteQueryBuilder<Tables, 'comments', DeleteResult>;

/**
 * Deletes a comment, and records it in the audit log.
 *
 * Errors: `not_found`; `forbidden` for another person's comment, unless by an owner or admin.
 */
export async function deleteComment(context: CommentsContext, by: CommentActor, commentId: string): Promise<void> {
  const { tenant, actor, administers } = by;
  const comment = await findComment(context, tenant, commentId);
  if (comment.author_id !== actor.id && !administers)
    throw new ServiceError('forbidden', 'Ask its author or an admin; a comment is deleted by them alone.');
  const detail = {
    traceId: comment.trace_id,
    spanId: comment.span_id || null,
    authorId: comment.author_id,
    author: comment.author,
    own: comment.author_id === actor.id,
  };
  const { organizationId, projectId } = tenant;
  await deleteComments(
    context,
    (comments) => comments.where('id', '=', comment.id),
    (transaction) =>
      recordAudit(transaction, context.clock, {
        organizationId,
        projectId,
        actor,
        kind: 'comment.deleted',
        subject: comment.id,
        detail,
      }),
  );
}

/**
 * Deletes comments with their mentions.
 *
 * @param record called last in the transaction, where there was any
 * @returns how many there were
 */
export async function deleteComments(
  context: Pick<CommentsContext, 'db' | 'clickhouse' | 'onUnwritten'>,
  where: (comments: Deletion) => Deletion,
  record?: (transaction: Transaction) => Promise<unknown>,
): Promise<number> {
  const noted = await context.db.transaction().execute(async (transaction) => {
    const deleted = await where(transaction.deleteFrom('comments'))
      .returning(['id', 'project_id', 'trace_id', 'span_id', 'created_at'])
      .execute();
    const rows = await noteRows(transaction, deleted, 2);
    if (rows.length > 0) await record?.(transaction);
    return rows;
  });
  await writeAtOnce(context, noted);
  return noted.length;
}
