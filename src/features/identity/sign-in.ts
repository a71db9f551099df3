import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import { permissionsOf } from '../../contract/permissions.ts';
import { verifyPassword } from '../../platform/crypto/passwords.ts';
import { recordAuditInEach } from '../audit/index.ts';
import { createSession } from './authenticator.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import type { IdentityTables } from './tables.ts';

/** Failures per window for an account and address (docs/semantics.md, "Sign-in limit"). */
const maxFailures = 10;
const failureWindowMs = 15 * 60_000;
/** An id that no user has. */
const nobody = '00000000-0000-0000-0000-000000000000';

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
  // An email has no control characters, and PostgreSQL rejects NUL.
  const account = input.email
    .trim()
    .toLowerCase()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
  return context.signIns.next(`${account} ${address}`, () => tryPassword(context, account, input.password, address));
}

async function tryPassword(
  context: IdentityContext,
  account: string,
  password: string,
  address: string,
): ReturnType<typeof signIn> {
  const attempt = await reserveAttempt(context, account, address);
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
    // A success does not count as an attempt.
    await transaction.deleteFrom('login_failures').where('id', '=', attempt).execute();
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

/**
 * Records a sign-in in every organisation of the user. The same statements run for an unknown email, so that response times do not reveal
 * whether a user exists.
 */
async function recordSignIn(
  transaction: Transaction<IdentityTables>,
  { clock }: IdentityContext,
  kind: 'auth.login' | 'auth.login_failed',
  user: { id: string; email: string; name: string } | undefined,
  address: string,
): Promise<void> {
  const { id, email, name } = user ?? { id: nobody, email: '', name: '' };
  await recordAuditInEach(transaction, clock, await organizationIdsOf(transaction, id), {
    projectId: null,
    kind,
    actor: { type: 'user', id, email, name },
    subject: id,
    detail: { address },
  });
}

/**
 * Counts an attempt as a failure before the password is checked, so that concurrent attempts on several replicas are counted like sequential
 * ones. A success removes it.
 *
 * @returns the attempt's id
 *
 * Errors: `rate_limited` after too many failures.
 */
async function reserveAttempt(context: IdentityContext, account: string, address: string): Promise<string> {
  const since = new Date(context.clock.now() - failureWindowMs);
  const id = uuidv7();
  const oldest = await context.db.transaction().execute(async (transaction) => {
    // Released at the end of the transaction, before the password is hashed.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-in ${account} ${address}`}, 0))`.execute(transaction);
    const failures = await transaction
      .selectFrom('login_failures')
      .select('failed_at')
      .where('account', '=', account)
      .where('address', '=', address)
      .where('failed_at', '>', since)
      .orderBy('failed_at', 'desc')
      .limit(maxFailures)
      .execute();
    if (failures.length < maxFailures)
      await transaction
        .insertInto('login_failures')
        .values({ id, account, address, failed_at: nowOf(context) })
        .execute();
    return failures[maxFailures - 1];
  });
  if (!oldest) return id;
  throw new ServiceError('rate_limited', 'Too many failed sign-ins; wait a few minutes and try again.', {
    retryAfterSeconds: (oldest.failed_at.getTime() + failureWindowMs - context.clock.now()) / 1000,
  });
}

/** Deletes the session of a secret, if there is one. */
export async function signOut(context: IdentityContext, secretHash: Buffer): Promise<void> {
  await context.db.deleteFrom('sessions').where('secret_sha256', '=', secretHash).execute();
}

/** Deletes expired sessions and old failures. A job. */
export async function forgetExpired(context: IdentityContext): Promise<void> {
  await context.db.deleteFrom('sessions').where('expires_at', '<', nowOf(context)).execute();
  await context.db
    .deleteFrom('login_failures')
    .where('failed_at', '<', new Date(context.clock.now() - failureWindowMs))
    .execute();
}

/** A user's organisations with role, permissions and projects, for the dashboard's start. */
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
