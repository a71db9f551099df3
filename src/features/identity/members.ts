import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../contract/actor.ts';
import type { UserActor } from '../../contract/actor.ts';
import { randomBase62 } from '../../contract/api-key.ts';
import type { AuditDetails, AuditKind } from '../../contract/audit.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import type { Role } from '../../contract/permissions.ts';
import { hashPassword } from '../../platform/crypto/passwords.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit, recordAuditInEach } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import type { IdentityTables } from './tables.ts';

const oldestFirst = byCreation('asc', { createdAt: 'm.created_at', id: 'u.id' });

export interface MemberRecord {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: string;
}

interface Acting {
  organizationId: string;
  /** The role of the actor. */
  role: Role;
  actor: UserActor;
}

/**
 * Adds a member, and creates the user when the email is new. A new user without a given password gets a temporary one, returned only here.
 *
 * Errors: `forbidden` when anyone but an owner grants the owner role, `conflict` when the user is a member already.
 */
export async function addMember(
  context: IdentityContext,
  acting: Acting,
  input: { email: string; name: string; role: Role; password?: string | undefined },
): Promise<MemberRecord & { temporaryPassword?: string }> {
  ownersOnly(acting, input.role);
  const password = input.password ?? randomBase62(20);
  const passwordHash = await hashPassword(password);
  const now = nowOf(context);
  const add = () =>
    context.db.transaction().execute(async (transaction) => {
      const existing = await transaction
        .selectFrom('users')
        .select(['id', 'email', 'name'])
        .where((where) => where(where.fn('lower', ['email']), '=', input.email.toLowerCase()))
        .executeTakeFirst();
      const user = existing ?? { id: uuidv7(), email: input.email, name: input.name };
      if (!existing) {
        await transaction
          .insertInto('users')
          .values({ ...user, password_hash: passwordHash, created_at: now })
          .execute();
      }
      await transaction
        .insertInto('memberships')
        .values({ organization_id: acting.organizationId, user_id: user.id, role: input.role, created_at: now })
        .execute();
      await recordChange(transaction, context, acting, 'member.added', user.id, { email: user.email, role: input.role });
      const member = { userId: user.id, email: user.email, name: user.name, role: input.role, createdAt: now.toISOString() };
      return existing || input.password !== undefined ? member : { ...member, temporaryPassword: password };
    });
  try {
    // The user may be created concurrently by another organization; the second attempt finds them.
    return await add().catch((error: unknown) => (isUniqueViolation(error, 'users_email') ? add() : Promise.reject(error)));
  } catch (error) {
    if (!isUniqueViolation(error, 'memberships_pkey')) throw error;
    throw new ServiceError('conflict', 'This person is a member already; change their role instead.', { cause: error });
  }
}

/** The members of an organization, oldest membership first. */
export async function listMembers(
  context: IdentityContext,
  organizationId: string,
  query: ListQuery,
): Promise<{ members: MemberRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.name', 'm.role', 'm.created_at'])
    .where('m.organization_id', '=', organizationId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const records = rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt: createdAt.toISOString() }));
  return { members: records.map(({ id, ...rest }) => ({ userId: id, ...rest })), nextCursor };
}

/**
 * Changes a member's role or name.
 *
 * Errors: `forbidden` when anyone but an owner grants or takes the owner role, or when the user is in other organizations too and the name changes;
 * `conflict` for the last owner.
 */
export async function changeMember(
  context: IdentityContext,
  acting: Acting,
  userId: string,
  input: { role?: Role | undefined; name?: string | undefined },
): Promise<MemberRecord> {
  return context.db.transaction().execute(async (transaction) => {
    const member = await lockedMember(transaction, acting.organizationId, userId);
    const { email, role: from } = member;
    const to = input.role ?? from;
    if (to !== from) {
      ownersOnly(acting, to, from);
      if (from === 'owner') await refuseLastOwner(transaction, acting.organizationId);
      await transaction
        .updateTable('memberships')
        .set({ role: to })
        .where('organization_id', '=', acting.organizationId)
        .where('user_id', '=', userId)
        .execute();
    }
    if (input.name !== undefined && input.name !== member.name) {
      if (member.userId !== acting.actor.id) await refuseSharedName(transaction, acting.organizationId, member.userId);
      await transaction.updateTable('users').set({ name: input.name }).where('id', '=', userId).execute();
    }
    if (to !== from) await recordChange(transaction, context, acting, 'member.role_changed', member.userId, { email, from, to });
    return { ...member, role: to, name: input.name ?? member.name };
  });
}

/**
 * Removes a member from an organization.
 *
 * Errors: `forbidden` when anyone but an owner removes an owner, `conflict` for the last owner.
 */
export async function removeMember(context: IdentityContext, acting: Acting, userId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const member = await lockedMember(transaction, acting.organizationId, userId);
    ownersOnly(acting, member.role);
    if (member.role === 'owner') await refuseLastOwner(transaction, acting.organizationId);
    await transaction
      .deleteFrom('memberships')
      .where('organization_id', '=', acting.organizationId)
      .where('user_id', '=', userId)
      .execute();
    const { email, role } = member;
    await recordChange(transaction, context, acting, 'member.removed', member.userId, { email, role });
  });
}

function recordChange<Kind extends Extract<AuditKind, `member.${string}`>>(
  transaction: Transaction<IdentityTables>,
  { clock }: IdentityContext,
  { organizationId, actor }: Acting,
  kind: Kind,
  subject: string,
  detail: AuditDetails[Kind],
): Promise<string> {
  return recordAudit(transaction, clock, { organizationId, projectId: null, kind, actor, subject, detail });
}

/** Throws `not_found` unless the user is a member of the organization. */
export async function requireMember(context: IdentityContext, organizationId: string, userId: string): Promise<void> {
  const row = await context.db
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where(sql`user_id::text`, '=', userId.toLowerCase())
    .executeTakeFirst();
  if (!row) throw noSuchMember();
}

async function lockedMember(
  transaction: Transaction<IdentityTables>,
  organizationId: string,
  userId: string,
): Promise<MemberRecord> {
  // Locks all owners of the organization, so that two owners cannot demote each other concurrently.
  await transaction
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const row = await transaction
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as userId', 'u.email', 'u.name', 'm.role', 'm.created_at'])
    .where('m.organization_id', '=', organizationId)
    .where(sql`u.id::text`, '=', userId.toLowerCase())
    .executeTakeFirst();
  if (!row) throw noSuchMember();
  const { created_at: createdAt, ...rest } = row;
  return { ...rest, createdAt: createdAt.toISOString() };
}

function noSuchMember(): ServiceError {
  return new ServiceError('not_found', 'There is no such member in this organization; list the members to see who is.');
}

function ownersOnly(acting: Acting, ...touched: Role[]): void {
  if (touched.includes('owner') && acting.role !== 'owner') {
    throw new ServiceError('forbidden', 'Only an owner can grant or take the owner role; ask one of the owners.');
  }
}

/** An organization may rename a user only while it is the user's only organization. */
async function refuseSharedName(transaction: Transaction<IdentityTables>, organizationId: string, userId: string): Promise<void> {
  const elsewhere = await transaction
    .selectFrom('memberships')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('organization_id', '!=', organizationId)
    .limit(1)
    .executeTakeFirst();
  if (!elsewhere) return;
  throw new ServiceError(
    'forbidden',
    'This person belongs to other organizations too; ask them to change their name themselves.',
  );
}

async function refuseLastOwner(transaction: Transaction<IdentityTables>, organizationId: string): Promise<void> {
  const owners = await transaction
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .execute();
  if (owners.length <= 1) {
    throw new ServiceError('conflict', 'This is the last owner of the organization; make another member an owner first.');
  }
}

/**
 * Sets a new temporary password and ends the user's sessions. For the operator's command line. Recorded in the audit logs of the user's
 * organizations.
 *
 * @returns the password; null when there is no user with this email
 */
export async function resetPassword(context: IdentityContext, email: string): Promise<string | null> {
  const password = randomBase62(20);
  const passwordHash = await hashPassword(password);
  return context.db.transaction().execute(async (transaction) => {
    const user = await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where((where) => where(where.fn('lower', ['email']), '=', email.trim().toLowerCase()))
      .returning(['id', 'email'])
      .executeTakeFirst();
    if (!user) return null;
    await transaction.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    await recordAuditInEach(transaction, context.clock, await organizationIdsOf(transaction, user.id), {
      projectId: null,
      kind: 'user.password_reset',
      actor: systemActor,
      subject: user.id,
      detail: { email: user.email },
    });
    return password;
  });
}
