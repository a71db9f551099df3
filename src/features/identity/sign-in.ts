import { ServiceError } from '../../contract/errors.ts';
import { permissionsOf } from '../../contract/permissions.ts';
import { verifyPassword } from '../../platform/crypto/passwords.ts';
import { createSession, sessionMs } from './authenticator.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { recordFailure, recordSignIn } from './record-sign-in.ts';
import { accountOf, countedAttempt, forgetAttempt, forgetOldFailures } from './sign-in-attempts.ts';
import type { Attempt, Client, Outcome } from './sign-in-attempts.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Signs a user in with email and password.
 *
 * @returns the user, the new session's secret, and the value of the cookie that names the browser as one that signed in as this user
 *
 * Errors: `unauthenticated` for a wrong password, likewise for an unknown email; `rate_limited` after too many failures, or while too many sign in.
 */
export async function signIn(
  context: IdentityContext,
  input: { email: string; password: string },
  client: Client,
): Promise<{ user: { id: string; email: string; name: string }; secret: string; browser: string }> {
  const account = accountOf(input.email);
  const known = context.signInLimits.browsers.knows(client.browser, account, context.clock.now());
  const signedIn = await countedAttempt(context, { account, known, client }, (attempt) =>
    tryPassword(context, { attempt, address: client.address }, input.password),
  );
  return { ...signedIn, browser: browserOf(context, input.email) };
}

/** The value of the cookie that names a browser as one that signed in with an email. */
export function browserOf({ signInLimits, clock }: IdentityContext, email: string): string {
  return signInLimits.browsers.valueFor(accountOf(email), clock.now());
}

async function tryPassword(
  context: IdentityContext,
  { attempt, address }: { attempt: Attempt; address: string },
  password: string,
): Promise<Outcome<{ user: { id: string; email: string; name: string }; secret: string }>> {
  const row = await context.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where((where) => where(where.fn('lower', ['email']), '=', attempt.account))
    .executeTakeFirst();
  if (!(await verifyPassword(row?.password_hash ?? null, password)) || !row)
    return { failure: wrongPassword(), record: () => recordFailure(context, row, address) };
  const secret = await context.db.transaction().execute(async (transaction) => {
    if (!(await passwordUnchanged(transaction, row))) return null;
    const made = await createSession(transaction, context.clock, row.id);
    await forgetAttempt(transaction, attempt);
    await recordSignIn(transaction, context, 'auth.login', row, address);
    return made;
  });
  if (secret === null) return { failure: wrongPassword(), record: () => Promise.resolve() };
  return { success: { user: { id: row.id, email: row.email, name: row.name }, secret } };
}

function wrongPassword(): ServiceError {
  return new ServiceError('unauthenticated', 'The email or the password is wrong; check both and try again.');
}

/**
 * False for a password that was changed while it was checked: the session would outlive the change, which ends the others. The lock lasts to the
 * end of the transaction, so that a change that comes later finds the session.
 */
async function passwordUnchanged(transaction: Transaction, user: { id: string; password_hash: string }): Promise<boolean> {
  const unchanged = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forShare()
    .executeTakeFirst();
  return unchanged !== undefined;
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
    .select(['o.id', 'o.slug', 'o.name', 'o.plan', 'o.shared_links as sharedLinks', 'm.role'])
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
