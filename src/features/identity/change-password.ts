import type { UserActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/passwords.ts';
import { recordAuditInEach } from '../audit/index.ts';
import { endOtherAccess } from './end-access.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import { forgetResetLinks } from './passwords/forget-reset-links.ts';
import { refuseCommon } from './passwords/refuse-common.ts';
import { recordFailure } from './record-sign-in.ts';
import { accountOf, countedAttempt, forgetAttempt } from './sign-in-attempts.ts';
import type { Attempt } from './sign-in-attempts.ts';

/** A user in one of their sessions. */
interface SignedIn {
  user: UserActor;
  sessionId: string;
  /** The client's. */
  address: string;
}

/**
 * Changes a user's own password and ends their other sessions (docs/semantics.md, "Change of password"). Personal tokens stay, unless
 * an operator or an organization chose the password before. Recorded in the
 * audit logs of the user's organizations.
 *
 * Errors: `invalid_request` for a common new password, and for a wrong current one, which counts as a failed sign-in; `rate_limited` after too many of both.
 */
export async function changePassword(
  context: IdentityContext,
  signedIn: SignedIn,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  await refuseCommon(input.newPassword, '/newPassword');
  const { user, address } = signedIn;
  const who = { account: accountOf(user.email), known: true, client: { address } };
  await countedAttempt<void>(context, who, async (attempt) => {
    const stored = await passwordHashOf(context, user.id);
    if (!(await verifyPassword(stored, input.currentPassword)) || stored === null)
      return { failure: wrongPassword(), record: () => recordFailure(context, user, address) };
    const passwordHash = await hashPassword(input.newPassword);
    return (await changed(context, signedIn, { attempt, stored, passwordHash }))
      ? { success: undefined }
      : { failure: wrongPassword(), record: () => Promise.resolve() };
  });
}

/** False where the password was changed or reset meanwhile: the given one is no longer the current one. */
function changed(
  context: IdentityContext,
  { user, sessionId }: SignedIn,
  { attempt, stored, passwordHash }: { attempt: Attempt; stored: string; passwordHash: string },
): Promise<boolean> {
  return context.db.transaction().execute(async (transaction) => {
    // First: it waits for sign-ins with the old password, whose sessions then end too.
    const before = await transaction
      .selectFrom('users')
      .select('password_set_by')
      .where('id', '=', user.id)
      .where('password_hash', '=', stored)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    // Who had the link before the person may have made this change too: the next organization ends their access.
    const password_set_by = before.password_set_by === 'link' ? 'link' : 'person';
    await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash, password_set_by })
      .where('id', '=', user.id)
      .execute();
    if (before.password_set_by === password_set_by)
      await transaction.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '!=', sessionId).execute();
    else await endOtherAccess(transaction, user.id, sessionId);
    await forgetResetLinks(transaction, user.email);
    await forgetAttempt(transaction, attempt);
    await recordAuditInEach(transaction, context.clock, await organizationIdsOf(transaction, user.id), {
      projectId: null,
      kind: 'user.password_changed',
      actor: user,
      subject: user.id,
      detail: { email: user.email },
    });
    return true;
  });
}

async function passwordHashOf({ db }: IdentityContext, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return row?.password_hash ?? null;
}

function wrongPassword(): ServiceError {
  return new ServiceError('invalid_request', 'The current password is wrong; give the password that you sign in with now.', {
    details: [{ path: '/currentPassword', message: 'is not your current password' }],
  });
}
