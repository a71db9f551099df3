import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { UserActor } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { hashPassword, verifyPassword } from '../../../platform/crypto/passwords.ts';
import { isUniqueViolation } from '../../../platform/postgres/index.ts';
import { recordAuditInEach, recordAudits } from '../../audit/index.ts';
import { createSession } from '../authenticator.ts';
import { endAccess, endOtherAccess } from '../end-access.ts';
import { nowOf } from '../identity-context.ts';
import type { IdentityContext } from '../identity-context.ts';
import { organizationIdsOf } from '../organization-ids.ts';
import { forgetResetLinks } from '../passwords/forget-reset-links.ts';
import { mostOrganizationsOfPerson, requireFewer } from '../require-fewer.ts';
import type { PasswordSetBy } from '../tables.ts';
import { refuseCommon } from '../passwords/refuse-common.ts';
import { findInvitation, noSuchLink } from './find-invitation.ts';
import type { FoundInvitation } from './find-invitation.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

interface Acceptance {
  token: string;
  name?: string | undefined;
  password?: string | undefined;
}

export interface Accepted {
  user: { id: string; email: string; name: string };
  /** Of a new session; null: the person stays signed in as they are. */
  secret: string | null;
}

type Account = { id: string; email: string; name: string; password_hash: string; password_set_by: PasswordSetBy };

/**
 * Makes the person of an invitation a member. A new person gets an account with the password that they choose. Who has an account must be signed in as it; if somebody
 * else chose its password, they choose a new one, which ends all its sessions and tokens. An account that was made by a link which the inviter saw loses its tokens and other
 * sessions: the inviter may have used the link first (docs/semantics.md, "Invitations").
 *
 * @param caller the user who is signed in, and the session; null: nobody
 *
 * Errors: `not_found` for a link that is not valid; `unauthenticated` when nobody and `forbidden` when another is signed in; `invalid_request` without a password
 * where one must be chosen; `conflict` beyond the organizations of a person.
 */
export async function acceptInvitation(
  context: IdentityContext,
  caller: { userId: string; sessionId: string | null } | null,
  input: Acceptance,
): Promise<Accepted> {
  const invitation = await findInvitation(context, input.token);
  const account = await accountOf(context, invitation.email);
  if (caller !== null && caller.userId !== account?.id) throw anotherAccount(invitation.email);
  if (account && caller === null) throw notSignedIn(invitation.email);
  const passwordHash = needsPassword(account) ? await hashPassword(await requirePassword(account, input.password)) : null;
  try {
    return await context.db.transaction().execute(async (transaction) => {
      await consume(transaction, context, invitation);
      if (!account) return joinAsNew(transaction, context, invitation, { name: input.name, passwordHash: passwordHash ?? '' });
      const secret = passwordHash === null ? null : await takeOver(transaction, context, account, passwordHash);
      if (account.password_set_by === 'link') await endOtherAccess(transaction, account.id, caller?.sessionId ?? null);
      await join(transaction, context, invitation, account);
      return { user: { id: account.id, email: account.email, name: account.name }, secret };
    });
  } catch (error) {
    // Made by the acceptance of another invitation meanwhile.
    if (isUniqueViolation(error, 'users_email')) throw notSignedIn(invitation.email);
    throw error;
  }
}

function needsPassword(account: Account | undefined): boolean {
  return account === undefined || account.password_set_by === 'operator' || account.password_set_by === 'organization';
}

async function accountOf(context: IdentityContext, email: string): Promise<Account | undefined> {
  return context.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash', 'password_set_by'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}

/** Deletes the invitation, so that of concurrent acceptances one succeeds. */
async function consume(transaction: Transaction, context: IdentityContext, { id }: FoundInvitation): Promise<void> {
  const consumed = await transaction
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('expires_at', '>', nowOf(context))
    .returning('id')
    .executeTakeFirst();
  if (!consumed) throw noSuchLink();
}

async function joinAsNew(
  transaction: Transaction,
  context: IdentityContext,
  invitation: FoundInvitation,
  { name, passwordHash }: { name: string | undefined; passwordHash: string },
): Promise<Accepted> {
  const { email } = invitation;
  const user = { id: uuidv7(), email, name: name ?? invitation.name ?? email.slice(0, email.lastIndexOf('@')) };
  await transaction
    .insertInto('users')
    .values({
      ...user,
      password_hash: passwordHash,
      password_set_by: invitation.mailed ? 'person' : 'link',
      created_at: nowOf(context),
    })
    .execute();
  const secret = await createSession(transaction, context.clock, user.id);
  await join(transaction, context, invitation, user);
  return { user, secret };
}

/** Gives an account whose password somebody else knows to its person. */
async function takeOver(
  transaction: Transaction,
  context: IdentityContext,
  account: Account,
  passwordHash: string,
): Promise<string> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, password_set_by: 'person' })
    .where('id', '=', account.id)
    .execute();
  await endAccess(transaction, account.id);
  await forgetResetLinks(transaction, account.email);
  const secret = await createSession(transaction, context.clock, account.id);
  await recordAuditInEach(transaction, context.clock, await organizationIdsOf(transaction, account.id), {
    projectId: null,
    kind: 'user.password_changed',
    actor: { type: 'user', id: account.id, email: account.email, name: account.name },
    subject: account.id,
    detail: { email: account.email },
  });
  return secret;
}

async function join(
  transaction: Transaction,
  context: IdentityContext,
  { id, organizationId, role }: FoundInvitation,
  { id: userId, email, name }: Accepted['user'],
): Promise<void> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { organizations } = await transaction
    .selectFrom('memberships')
    .select(sql<number>`count(*)::int`.as('organizations'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  requireFewer(
    organizations,
    mostOrganizationsOfPerson,
    `A person belongs to at most ${mostOrganizationsOfPerson} organizations; leave one of yours first.`,
  );
  const added = await transaction
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: nowOf(context) })
    // Invited again while they accepted.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const actor: UserActor = { type: 'user', id: userId, email, name };
  const entry = { organizationId, projectId: null, actor, detail: { email, role } };
  await recordAudits(transaction, context.clock, [
    { ...entry, kind: 'invitation.accepted', subject: id },
    ...(added.numInsertedOrUpdatedRows === 0n ? [] : [{ ...entry, kind: 'member.added' as const, subject: userId }]),
  ]);
}

async function requirePassword(account: Account | undefined, password: string | undefined): Promise<string> {
  if (password !== undefined) {
    await refuseCommon(password, '/password');
    if (!account || !(await verifyPassword(account.password_hash, password))) return password;
    throw new ServiceError('invalid_request', 'Choose another password: somebody else knows the one that you have.', {
      details: [{ path: '/password', message: 'must differ from the current password' }],
    });
  }
  const sentence = account
    ? 'Choose a new password: somebody else chose the one that you have. It ends your sessions and personal tokens.'
    : 'Choose a password for your new account.';
  throw new ServiceError('invalid_request', sentence, { details: [{ path: '/password', message: 'is required' }] });
}

function notSignedIn(email: string): ServiceError {
  return new ServiceError('unauthenticated', `There is an account for ${email}; sign in as it, then accept the invitation.`);
}

function anotherAccount(email: string): ServiceError {
  return new ServiceError('forbidden', `This invitation is for ${email}; sign out, and accept it as that person.`);
}
