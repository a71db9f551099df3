import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ListQuery } from '../../contract/identity.ts';
import { decodeCursor, pageOf } from '../../contract/page.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Caller } from '../../platform/http/index.ts';
import { auditActorOf, recordAudit } from '../audit/index.ts';
import { nowOf } from './context.ts';
import type { IdentityContext } from './context.ts';
import { underFreeSlug } from './slug.ts';

export interface OrganizationRecord {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
  role: Role;
  createdAt: string;
}

/** Makes an organisation on the plan `free` (contract section 2) with its maker as owner. */
export async function createOrganization(
  context: IdentityContext,
  maker: Extract<Caller, { kind: 'user' }>,
  input: { name: string },
): Promise<OrganizationRecord> {
  const now = nowOf(context);
  const id = uuidv7();
  const slug = await underFreeSlug(input.name, 'organizations_slug', (candidate) =>
    context.db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('organizations')
        .values({ id, slug: candidate, name: input.name, plan: 'free', created_at: now })
        .execute();
      await transaction
        .insertInto('memberships')
        .values({ organization_id: id, user_id: maker.userId, role: 'owner', created_at: now })
        .execute();
      await recordAudit(transaction, context.clock, {
        organizationId: id,
        projectId: null,
        kind: 'member.added',
        actor: auditActorOf(maker),
        subject: maker.userId,
        detail: { email: maker.email, role: 'owner' },
      });
      return candidate;
    }),
  );
  return { id, slug, name: input.name, plan: 'free', role: 'owner', createdAt: now.toISOString() };
}

/** The organisations that a user is a member of, oldest first. */
export async function listOrganizations(
  context: IdentityContext,
  userId: string,
  query: ListQuery,
): Promise<{ organizations: OrganizationRecord[]; nextCursor: string | null }> {
  const after = decodeCursor(query.cursor);
  let select = context.db
    .selectFrom('organizations as o')
    .innerJoin('memberships as m', 'm.organization_id', 'o.id')
    .select(['o.id', 'o.slug', 'o.name', 'o.plan', 'm.role', 'o.created_at'])
    .where('m.user_id', '=', userId);
  if (after) select = select.where(sql<boolean>`(o.created_at, o.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(query.limit + 1)
    .execute();
  const records = rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt: createdAt.toISOString() }));
  const { items, nextCursor } = pageOf(records, query.limit);
  return { organizations: items, nextCursor };
}

/** Renames an organisation; its slug stays, since links hold it. */
export async function renameOrganization(
  context: IdentityContext,
  organization: { id: string; role: Role },
  input: { name: string },
): Promise<OrganizationRecord> {
  const row = await context.db
    .updateTable('organizations')
    .set({ name: input.name })
    .where('id', '=', organization.id)
    .returning(['id', 'slug', 'name', 'plan', 'created_at'])
    .executeTakeFirstOrThrow();
  context.keys.clear();
  const { created_at: createdAt, ...rest } = row;
  return { ...rest, role: organization.role, createdAt: createdAt.toISOString() };
}

/**
 * Puts an organisation on a plan; the operator's alone, by command line.
 *
 * @returns false when there is no such organisation
 */
export async function setPlan(context: IdentityContext, slugOrId: string, plan: Plan): Promise<boolean> {
  const updated = await context.db
    .updateTable('organizations')
    .set({ plan })
    .where((where) => where.or([where('slug', '=', slugOrId), where(sql`id::text`, '=', slugOrId)]))
    .returning('id')
    .execute();
  context.keys.clear();
  return updated.length > 0;
}
