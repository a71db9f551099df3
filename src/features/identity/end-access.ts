import type { Transaction } from '../../platform/postgres/index.ts';

/** Ends every personal token of a user, and every session but one. @param sessionId null: every session */
export async function endOtherAccess(transaction: Transaction, userId: string, sessionId: string | null): Promise<void> {
  const sessions = transaction.deleteFrom('sessions').where('user_id', '=', userId);
  await (sessionId === null ? sessions : sessions.where('id', '!=', sessionId)).execute();
  await transaction.deleteFrom('personal_tokens').where('user_id', '=', userId).execute();
}

/** Ends every session and personal token of a user. @returns how many of each were ended */
export async function endAccess(transaction: Transaction, userId: string): Promise<{ sessions: number; tokens: number }> {
  const sessions = await transaction.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst();
  const tokens = await transaction.deleteFrom('personal_tokens').where('user_id', '=', userId).executeTakeFirst();
  return { sessions: Number(sessions.numDeletedRows), tokens: Number(tokens.numDeletedRows) };
}
