import { hourMs } from '../../contract/durations.ts';
import type { CommentsContext } from './comments-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Milliseconds after which the mail of a mention is sent: until then the comment can be withdrawn. */
const mailDelayMs = 2_000;
/** Mentions of a person in an hour after which further ones are marks in the dashboard alone. */
const maxMailsAnHour = 30;

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
  const mention = { comment_id: commentId, created_at: new Date(nowMs), read_at: null, mail_attempts: 0 };
  const mailDueAt = new Date(nowMs + mailDelayMs);
  const unmailed = mailed ? await oftenMentioned(transaction, mentioned, nowMs - hourMs) : new Set(mentioned);
  await transaction
    .insertInto('comment_mentions')
    .values(mentioned.map((userId) => ({ ...mention, user_id: userId, mail_due_at: unmailed.has(userId) ? null : mailDueAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those who get no further mail for now. */
async function oftenMentioned(transaction: Transaction, userIds: readonly string[], sinceMs: number): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('comment_mentions')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('created_at', '>', new Date(sinceMs))
    .groupBy('user_id')
    .having((where) => where.fn.countAll(), '>=', maxMailsAnHour)
    .execute();
  return new Set(rows.map(({ user_id: userId }) => userId));
}
