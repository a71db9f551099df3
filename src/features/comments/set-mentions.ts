import type { CommentsContext } from './comments-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Milliseconds after which the mail of a mention is sent: until then the comment can be withdrawn. */
const mailDelayMs = 2_000;

/**
 * Makes the mentions of a comment those of some members. Who was mentioned before is not told again.
 *
 * @param mentioned ids of users
 */
export async function setMentions(
  transaction: Transaction,
  { clock, mailed }: Pick<CommentsContext, 'clock' | 'mailed'>,
  commentId: string,
  mentioned: readonly string[],
): Promise<void> {
  let others = transaction.deleteFrom('comment_mentions').where('comment_id', '=', commentId);
  if (mentioned.length > 0) others = others.where('user_id', 'not in', mentioned);
  await others.execute();
  if (mentioned.length === 0) return;
  const nowMs = clock.now();
  const mention = {
    comment_id: commentId,
    created_at: new Date(nowMs),
    read_at: null,
    mail_due_at: mailed ? new Date(nowMs + mailDelayMs) : null,
    mail_attempts: 0,
  };
  await transaction
    .insertInto('comment_mentions')
    .values(mentioned.map((userId) => ({ ...mention, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
