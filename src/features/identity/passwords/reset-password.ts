import { systemActor } from '../../../contract/actor.ts';
import type { Actor } from '../../../contract/actor.ts';
import { randomBase62 } from '../../../contract/api-key.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { hashPassword } from '../../../platform/crypto/passwords.ts';
import { hashSecret } from '../../../platform/crypto/secrets.ts';
import { recordAuditInEach } from '../../audit/index.ts';
import { endAccess } from '../end-access.ts';
import { nowOf } from '../identity-context.ts';
import type { IdentityContext } from '../identity-context.ts';
import { organizationIdsOf } from '../organization-ids.ts';
import { refuseCommon } from './refuse-common.ts';
import { forgetResetLinks } from './forget-reset-links.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/**
 * Sets a new password with a mailed link, which works once. Ends the sessions and personal tokens of the account.
 *
 * Errors: `not_found` for a link that is used, expired or not the newest.
 */
export async function resetByLink(context: IdentityContext, input: { token: string; password: string }): Promise<void> {
  const token_sha256 = hashSecret(input.token);
  const link = () =>
    context.db
      .selectFrom('password_resets')
      .select('account')
      .where('token_sha256', '=', token_sha256)
      .where('expires_at', '>', nowOf(context));
  if (!(await link().executeTakeFirst())) throw noSuchLink();
  await refuseCommon(input.password, '/password');
  const passwordHash = await hashPassword(input.password);
  await context.db.transaction().execute(async (transaction) => {
    const used = await transaction
      .updateTable('password_resets')
      .set({ token_sha256: null, mail_due_at: null })
      .where('token_sha256', '=', token_sha256)
      .where('expires_at', '>', nowOf(context))
      .returning('account')
      .executeTakeFirst();
    const user = used && (await setPassword(transaction, context, { email: used.account, passwordHash, by: 'person' }));
    if (!user) throw noSuchLink();
  });
}

/**
 * Sets a new temporary password and ends the user's sessions and personal tokens. For the operator's command line. Recorded in the audit logs of the user's
 * organizations.
 *
 * @returns the password; null when there is no user with this email
 */
export async function resetPassword(context: IdentityContext, email: string): Promise<string | null> {
  const password = randomBase62(20);
  const passwordHash = await hashPassword(password);
  const user = await context.db
    .transaction()
    .execute((transaction) => setPassword(transaction, context, { email, passwordHash, by: 'operator' }));
  return user ? password : null;
}

async function setPassword(
  transaction: Transaction,
  context: IdentityContext,
  { email, passwordHash, by }: { email: string; passwordHash: string; by: 'person' | 'operator' },
): Promise<{ id: string } | undefined> {
  const user = await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, password_set_by: by })
    .where((where) => where(where.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .returning(['id', 'email', 'name'])
    .executeTakeFirst();
  if (!user) return undefined;
  await endAccess(transaction, user.id);
  await forgetResetLinks(transaction, user.email);
  const actor: Actor = by === 'operator' ? systemActor : { type: 'user', ...user };
  await recordAuditInEach(transaction, context.clock, await organizationIdsOf(transaction, user.id), {
    projectId: null,
    kind: 'user.password_reset',
    actor,
    subject: user.id,
    detail: { email: user.email },
  });
  return user;
}

function noSuchLink(): ServiceError {
  return new ServiceError('not_found', 'This link was used, has expired, or is not the newest; ask for a new one.');
}
