import { sql } from 'kysely';
import type { UserActor } from '../../contract/actor.ts';
import type { AuditDetails, AuditKind } from '../../contract/audit.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import { roleHas } from '../../contract/permissions.ts';
import type { Role } from '../../contract/permissions.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { IdentityContext } from './identity-context.ts';
import { withdrawInvitations } from './invitations/withdraw-invitations.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc', { createdAt: 'm.created_at', id: 'u.id' });

export interface MemberRecord {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: string;
}

interface MemberTokens {
  /** Valid ones. */
  count: number;
  lastUsedAt: string | null;
}

/** A member in the list. */
export interface ListedMember extends MemberRecord {
  /** null for accounts that belong to further organizations. */
  tokens: MemberTokens | null;
}

/** A user who acts in an organization. */
export interface ActingInOrganization {
  organizationId: string;
  /** The role of the actor. */
  role: Role;
  actor: UserActor;
}

/**
 * The members of an organization, oldest membership first.
 *
 * @param role of the caller: only with `members:manage` the use of tokens is shown
 */
export async function listMembers(
  context: IdentityContext,
  { id: organizationId, role }: { id: string; role: Role },
  query: ListQuery,
): Promise<{ members: ListedMember[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.name', 'm.role', 'm.created_at'])
    .where('m.organization_id', '=', organizationId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const tokens = roleHas(role, 'members:manage')
    ? await tokensOf(
        context,
        rows.map(({ id }) => id),
      )
    : new Map<string, never>();
  const members = rows.map(({ id, created_at, ...rest }) => ({
    userId: id,
    ...rest,
    createdAt: created_at.toISOString(),
    tokens: tokens.get(id) ?? null,
  }));
  return { members, nextCursor };
}

/** The valid personal tokens of those users who belong to one organization alone. */
async function tokensOf({ db, clock }: IdentityContext, userIds: string[]): Promise<Map<string, MemberTokens>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('memberships as m')
    .leftJoin('personal_tokens as t', (on) =>
      on
        .onRef('t.user_id', '=', 'm.user_id')
        .on((where) => where.or([where('t.expires_at', 'is', null), where('t.expires_at', '>', new Date(clock.now()))])),
    )
    .select([
      'm.user_id as userId',
      sql<number>`count(DISTINCT t.id)::int`.as('count'),
      sql<Date | null>`max(t.last_used_at)`.as('lastUsedAt'),
    ])
    .where('m.user_id', 'in', userIds)
    .groupBy('m.user_id')
    .having(sql`count(DISTINCT m.organization_id)`, '=', 1)
    .execute();
  return new Map(rows.map(({ userId, count, lastUsedAt }) => [userId, { count, lastUsedAt: lastUsedAt?.toISOString() ?? null }]));
}

/**
 * Changes a member's role or name.
 *
 * Errors: `forbidden` when anyone but an owner grants or takes the owner role, or when the user is in other organizations too and the name changes;
 * `conflict` for the last owner.
 */
export async function changeMember(
  context: IdentityContext,
  acting: ActingInOrganization,
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
      if (!roleHas(to, 'members:manage')) await withdrawInvitations(transaction, context, acting, member.userId);
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
 * Removes a member from an organization, who may be the actor.
 *
 * Errors: `forbidden` when anyone but an owner removes an owner, `conflict` for the last owner.
 */
export async function removeMember(context: IdentityContext, acting: ActingInOrganization, userId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const member = await lockedMember(transaction, acting.organizationId, userId);
    ownersOnly(acting, member.role);
    if (member.role === 'owner') await refuseLastOwner(transaction, acting.organizationId);
    await transaction
      .deleteFrom('memberships')
      .where('organization_id', '=', acting.organizationId)
      .where('user_id', '=', userId)
      .execute();
    await withdrawInvitations(transaction, context, acting, member.userId);
    const { email, role } = member;
    await recordChange(transaction, context, acting, 'member.removed', member.userId, { email, role });
  });
}

function recordChange<Kind extends Extract<AuditKind, `member.${string}`>>(
  transaction: Transaction,
  { clock }: IdentityContext,
  { organizationId, actor }: ActingInOrganization,
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

/** A member, for a change of their membership. Throws `not_found` when there is none. */
export async function lockedMember(transaction: Transaction, organizationId: string, userId: string): Promise<MemberRecord> {
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

/** Errors: `forbidden` when anyone but an owner grants or takes the owner role. */
export function ownersOnly(acting: { role: Role }, ...touched: Role[]): void {
  if (touched.includes('owner') && acting.role !== 'owner') {
    throw new ServiceError('forbidden', 'Only an owner can grant or take the owner role; ask one of the owners.');
  }
}

/** An organization may rename a user only while it is the user's only organization. */
async function refuseSharedName(transaction: Transaction, organizationId: string, userId: string): Promise<void> {
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

async function refuseLastOwner(transaction: Transaction, organizationId: string): Promise<void> {
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
