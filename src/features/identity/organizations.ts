import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../contract/actor.ts';
import type { UserActor } from '../../contract/actor.ts';
import type { OrganizationChange } from '../../contract/identity.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import { mostOrganizationsOfPerson, requireFewer } from './require-fewer.ts';
import { underFreeSlug } from './slug.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc', { createdAt: 'o.created_at', id: 'o.id' });

export interface OrganizationRecord {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
  role: Role;
  /** Whether traces of its projects can be shared by links. */
  sharedLinks: boolean;
  createdAt: string;
}

/**
 * Creates an organization on the plan for further ones (docs/semantics.md, "Plans") with `maker` as its owner.
 *
 * Errors: `conflict` beyond the organizations of a person, and for an account whose password an organization chose: it would open the new one.
 */
export async function createOrganization(
  context: IdentityContext,
  maker: UserActor,
  input: { name: string },
): Promise<OrganizationRecord> {
  const now = nowOf(context);
  const id = uuidv7();
  const plan = context.accounts.defaultPlan;
  const slug = await underFreeSlug(input.name, 'organizations_slug', (candidate) =>
    context.db.transaction().execute(async (transaction) => {
      await requireRoom(transaction, maker.id);
      await transaction
        .insertInto('organizations')
        .values({ id, slug: candidate, name: input.name, plan, created_at: now })
        .execute();
      await transaction
        .insertInto('memberships')
        .values({ organization_id: id, user_id: maker.id, role: 'owner', created_at: now })
        .execute();
      await recordAudit(transaction, context.clock, {
        organizationId: id,
        projectId: null,
        kind: 'member.added',
        actor: maker,
        subject: maker.id,
        detail: { email: maker.email, role: 'owner' },
      });
      return candidate;
    }),
  );
  return { id, slug, name: input.name, plan, role: 'owner', sharedLinks: true, createdAt: now.toISOString() };
}

async function requireRoom(transaction: Transaction, userId: string): Promise<void> {
  const user = await transaction
    .selectFrom('users')
    .select('password_set_by')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user?.password_set_by === 'organization')
    throw new ServiceError('conflict', 'An organization chose your password; change it in the account menu first.');
  requireFewer(
    (await organizationIdsOf(transaction, userId)).length,
    mostOrganizationsOfPerson,
    `You belong to ${mostOrganizationsOfPerson} organizations, the most that a person may; leave one of them first.`,
  );
}

/** The organizations that a user is a member of, oldest first. */
export async function listOrganizations(
  context: IdentityContext,
  userId: string,
  query: ListQuery,
): Promise<{ organizations: OrganizationRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('organizations as o')
    .innerJoin('memberships as m', 'm.organization_id', 'o.id')
    .select(['o.id', 'o.slug', 'o.name', 'o.plan', 'm.role', 'o.shared_links as sharedLinks', 'o.created_at'])
    .where('m.user_id', '=', userId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const records = rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt: createdAt.toISOString() }));
  return { organizations: records, nextCursor };
}

/**
 * Changes the name of an organization, and whether traces can be shared by links, which is recorded in the audit log. The slug stays, since links contain it.
 */
export async function changeOrganization(
  context: IdentityContext,
  organization: { id: string; role: Role },
  actor: UserActor,
  { name, sharedLinks }: OrganizationChange,
): Promise<OrganizationRecord> {
  const row = await context.db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('organizations')
      .select(['name', 'shared_links'])
      .where('id', '=', organization.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const changed = await transaction
      .updateTable('organizations')
      .set({ name: name ?? before.name, shared_links: sharedLinks ?? before.shared_links })
      .where('id', '=', organization.id)
      .returning(['id', 'slug', 'name', 'plan', 'shared_links as sharedLinks', 'created_at'])
      .executeTakeFirstOrThrow();
    if (changed.sharedLinks !== before.shared_links)
      await recordAudit(transaction, context.clock, {
        organizationId: organization.id,
        projectId: null,
        kind: 'organization.shared_links_changed',
        actor,
        subject: organization.id,
        detail: { from: before.shared_links, to: changed.sharedLinks },
      });
    return changed;
  });
  context.keys.clear();
  const { created_at: createdAt, ...rest } = row;
  return { ...rest, role: organization.role, createdAt: createdAt.toISOString() };
}

/**
 * Sets the plan of an organization. For the operator's command line. Recorded in the audit log when the plan changes.
 *
 * @returns false when there is no such organization
 */
export async function setPlan(context: IdentityContext, slugOrId: string, plan: Plan): Promise<boolean> {
  const found = await context.db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('organizations')
      .select(['id', 'plan'])
      .where((where) => where.or([where('slug', '=', slugOrId), where(sql`id::text`, '=', slugOrId)]))
      .forUpdate()
      .executeTakeFirst();
    if (!before || before.plan === plan) return before !== undefined;
    await transaction.updateTable('organizations').set({ plan }).where('id', '=', before.id).execute();
    await recordAudit(transaction, context.clock, {
      organizationId: before.id,
      projectId: null,
      kind: 'organization.plan_changed',
      actor: systemActor,
      subject: before.id,
      detail: { from: before.plan, to: plan },
    });
    return true;
  });
  context.keys.clear();
  return found;
}

/** The id and name of an organization given by slug or id. For the operator's command line. */
export async function findOrganization(
  { db }: Pick<IdentityContext, 'db'>,
  slugOrId: string,
): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where((where) => where.or([where('slug', '=', slugOrId), where(sql`id::text`, '=', slugOrId)]))
    .executeTakeFirst();
}
