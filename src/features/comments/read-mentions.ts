import type { CommentsContext } from './comments-context.ts';

/**
 * Marks mentions of a person as read. Ids that name none are ignored: the comment may be deleted meanwhile.
 *
 * @param commentIds undefined: all
 */
export async function readMentions(
  { db, clock }: Pick<CommentsContext, 'db' | 'clock'>,
  userId: string,
  commentIds: readonly string[] | undefined,
): Promise<void> {
  if (commentIds?.length === 0) return;
  let update = db
    .updateTable('comment_mentions')
    .set({ read_at: new Date(clock.now()) })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null);
  if (commentIds !== undefined) update = update.where('comment_id', 'in', commentIds);
  await update.execute();
}
