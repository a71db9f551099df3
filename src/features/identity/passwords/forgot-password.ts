import { hourMs } from '../../../contract/durations.ts';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { nowOf } from '../identity-context.ts';
import type { IdentityContext } from '../identity-context.ts';

/** How long a link that sets a new password is valid, in milliseconds. */
export const resetLinkMs = 30 * 60_000;
/** Links that are mailed to an email in {@link countedMs}. */
const mostLinks = 5;
export const countedMs = hourMs;
/** Mails that wait, over all emails. Requests beyond it send nothing: a flood must not fill the database. */
const mostWaiting = 1_000;

/**
 * Asks for a link that sets a new password. The mail is sent later, so that the answer comes as soon for an email without an account. The newest link alone
 * is valid.
 *
 * @returns whether this installation sends mail
 */
export async function forgotPassword(context: IdentityContext, input: { email: string }): Promise<{ mailed: boolean }> {
  if (context.accounts.mailer === null) return { mailed: false };
  const account = input.email
    .trim()
    .toLowerCase()
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD');
  const now = nowOf(context);
  await context.db.transaction().execute(async (transaction) => {
    const { made, waiting } = await transaction
      .selectFrom('password_resets')
      .select([
        sql<number>`(count(*) FILTER (WHERE account = ${account}))::int`.as('made'),
        sql<number>`count(mail_due_at)::int`.as('waiting'),
      ])
      .where((where) => where.or([where('account', '=', account), where('mail_due_at', 'is not', null)]))
      .where('created_at', '>', new Date(now.getTime() - countedMs))
      .executeTakeFirstOrThrow();
    if (made >= mostLinks || waiting >= mostWaiting) return;
    await transaction
      .updateTable('password_resets')
      .set({ token_sha256: null, mail_due_at: null })
      .where('account', '=', account)
      .execute();
    const expires_at = new Date(now.getTime() + resetLinkMs);
    await transaction
      .insertInto('password_resets')
      .values({ id: uuidv7(), account, token_sha256: null, created_at: now, expires_at, mail_due_at: now })
      .execute();
  });
  return { mailed: true };
}
