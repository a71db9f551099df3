import type { UserActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/passwords.ts';
import { recordAuditInEach } from '../audit/index.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import { countedAttempt, forgetAttempt, recordSignIn } from './sign-in-attempts.ts';

/** A user in one of their sessions. */
interface SignedIn {
  user: UserActor;
  sessionId: string;
  /** The client's. */
  address: string;
}

/**
 * Changes a user's own password and ends their other sessions (docs/semantics.md, "Change of password"). Personal tokens stay. Recorded in the
 * audit logs of the user's organizations.
 *
 * Errors: `invalid_request` for a wrong current password, which counts as a failed sign-in; `rate_limited` after too many of both.
 */
export async function changePassword(
  context: IdentityContext,
  { user, sessionId, address }: SignedIn,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  await countedAttempt(context, user.email, address, async (_account, attempt) => {
    const stored = await passwordHashOf(context, user.id);
    if (!(await verifyPassword(stored, input.currentPassword)) || stored === null) {
      await context.db
        .transaction()
        .execute((transaction) => recordSignIn(transaction, context, 'auth.login_failed', user, address));
      throw wrongPassword();
    }
    const passwordHash = await hashPassword(input.newPassword);
    await context.db.transaction().execute(async (transaction) => {
      // First: it waits for sign-ins with the old password, whose sessions then end too.
      const changed = await transaction
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('id', '=', user.id)
        // Changed or reset meanwhile: the given password is no longer the current one.
        .where('password_hash', '=', stored)
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw wrongPassword();
      await transaction.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '!=', sessionId).execute();
      await forgetAttempt(transaction, attempt);
      await recordAuditInEach(transaction, context.clock, await organizationIdsOf(transaction, user.id), {
        projectId: null,
        kind: 'user.password_changed',
        actor: user,
        subject: user.id,
        detail: { email: user.email },
      });
    });
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
