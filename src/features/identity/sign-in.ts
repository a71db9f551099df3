import type { Transaction } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { permissionsOf } from '../../contract/permissions.ts';
import { verifyPassword } from '../../platform/crypto/passwords.ts';
import { createSession, sessionMs } from './authenticator.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { countedAttempt, forgetAttempt, forgetOldFailures, recordSignIn } from './sign-in-attempts.ts';
import type { IdentityTables } from './tables.ts';

/**
 * Signs a user in with email and password.
 *
 * @param address the client's; failures are counted per account and address
 * @returns the user and the new session's secret
 *
 * Errors: `unauthenticated` for a wrong password, likewise for an unknown email; `rate_limited` after too many failures.
 */
export async function signIn(
  context: IdentityContext,
  input: { email: string; password: string },
  address: string,
): Promise<{ user: { id: string; email: string; name: string }; secret: string }> {
  return countedAttempt(context, input.email, address, (account, attempt) =>
    tryPassword(context, { account, attempt, address }, input.password),
  );
}

async function tryPassword(
  context: IdentityContext,
  { account, attempt, address }: { account: string; attempt: string; address: string },
  password: string,
): ReturnType<typeof signIn> {
  const row = await context.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where((where) => where(where.fn('lower', ['email']), '=', account))
    .executeTakeFirst();
  if (!(await verifyPassword(row?.password_hash ?? null, password)) || !row) {
    await context.db
      .transaction()
      .execute((transaction) => recordSignIn(transaction, context, 'auth.login_failed', row, address));
    throw wrongPassword();
  }
  const secret = await context.db.transaction().execute(async (transaction) => {
    await requireUnchangedPassword(transaction, row);
    const made = await createSession(transaction, context.clock, row.id);
    await forgetAttempt(transaction, attempt);
    await recordSignIn(transaction, context, 'auth.login', row, address);
    return made;
  });
  return { user: { id: row.id, email: row.email, name: row.name }, secret };
}

function wrongPassword(): ServiceError {
  return new ServiceError('unauthenticated', 'The email or the password is wrong; check both and try again.');
}

/**
 * Rejects a password that was changed while it was checked: the session would outlive the change, which ends the others. The lock lasts to the
 * end of the transaction, so that a change that comes later finds the session.
 */
async function requireUnchangedPassword(
  transaction: Transaction<IdentityTables>,
  user: { id: string; password_hash: string },
): Promise<void> {
  const unchanged = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forShare()
    .executeTakeFirst();
  if (!unchanged) throw wrongPassword();
}

/** Deletes the session of a secret, if there is one. */
export async function signOut(context: IdentityContext, secretHash: Buffer): Promise<void> {
  await context.db.deleteFrom('sessions').where('secret_sha256', '=', secretHash).execute();
}

/** Deletes expired sessions and old failures. A session that was last used by a clock that was ahead counts as used now once it was set back. A job. */
export async function forgetExpired(context: IdentityContext): Promise<void> {
  await context.db.deleteFrom('sessions').where('expires_at', '<', nowOf(context)).execute();
  const latest = new Date(context.clock.now() + sessionMs);
  await context.db.updateTable('sessions').set({ expires_at: latest }).where('expires_at', '>', latest).execute();
  await forgetOldFailures(context);
}

/** A user's organizations with role, permissions and projects, for the dashboard's start. */
export async function organizationsOf(context: IdentityContext, userId: string) {
  const memberships = await context.db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.slug', 'o.name', 'o.plan', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('o.created_at')
    .orderBy('o.id')
    .execute();
  const projects = await context.db
    .selectFrom('projects as p')
    .innerJoin('memberships as m', 'm.organization_id', 'p.organization_id')
    .select(['p.id', 'p.name', 'p.slug', 'p.organization_id'])
    .where('m.user_id', '=', userId)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
  const projectsOf = Map.groupBy(projects, (project) => project.organization_id);
  return memberships.map((organization) => ({
    ...organization,
    permissions: permissionsOf(organization.role),
    projects: (projectsOf.get(organization.id) ?? []).map(({ id, name, slug }) => ({ id, name, slug })),
  }));
}
