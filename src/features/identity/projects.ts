import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../../contract/actor.ts';
import type { ListQuery } from '../../contract/identity.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { mostProjectsOfOrganization, requireFewer } from './require-fewer.ts';
import { underFreeSlug } from './slug.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc');

export interface ProjectRecord {
  id: string;
  organizationId: string;
  name: string;
  slug: string;
  createdAt: string;
}

/** Creates a project in an organization. Errors: `conflict` beyond the projects of an organization. */
export async function createProject(
  context: IdentityContext,
  { organizationId, actor }: { organizationId: string; actor: Actor },
  input: { name: string },
): Promise<ProjectRecord> {
  const id = uuidv7();
  const now = nowOf(context);
  const slug = await underFreeSlug(input.name, 'projects_slug', async (candidate) => {
    const { name } = input;
    await context.db.transaction().execute(async (transaction) => {
      const row = { id, organization_id: organizationId, name, slug: candidate, created_at: now };
      await requireRoom(transaction, organizationId);
      await transaction.insertInto('projects').values(row).execute();
      const detail = { name, slug: candidate };
      const record = { organizationId, projectId: id, kind: 'project.created', actor, subject: id, detail } as const;
      await recordAudit(transaction, context.clock, record);
    });
    return candidate;
  });
  return { id, organizationId, name: input.name, slug, createdAt: now.toISOString() };
}

async function requireRoom(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute();
  const { projects } = await transaction
    .selectFrom('projects')
    .select(sql<number>`count(*)::int`.as('projects'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  requireFewer(
    projects,
    mostProjectsOfOrganization,
    `An organization has at most ${mostProjectsOfOrganization} projects; send to one of them, or create another organization.`,
  );
}

/** The projects of an organization, oldest first. */
export async function listProjects(
  context: IdentityContext,
  organizationId: string,
  query: ListQuery,
): Promise<{ projects: ProjectRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('projects')
    .select(['id', 'organization_id as organizationId', 'name', 'slug', 'created_at'])
    .where('organization_id', '=', organizationId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const records = rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt: createdAt.toISOString() }));
  return { projects: records, nextCursor };
}

/** Every project with its organization's plan, for jobs. */
export function listProjectPlans(
  context: Pick<IdentityContext, 'db'>,
): Promise<Array<{ organizationId: string; projectId: string; plan: Plan }>> {
  return context.db
    .selectFrom('projects as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .select(['o.id as organizationId', 'p.id as projectId', 'o.plan'])
    .orderBy('p.id')
    .execute();
}

/**
 * The path of a project's pages in the dashboard.
 *
 * @param db the database, or a transaction
 */
export async function projectPage(db: IdentityContext['db'], projectId: string): Promise<string> {
  const { organization, project } = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['organizations.slug as organization', 'projects.slug as project'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  return `/o/${encodeURIComponent(organization)}/p/${encodeURIComponent(project)}`;
}

/** The tenant of a project, and whether its organization lets traces be shared by links; undefined for a project that there is not. */
export async function sharingOf(
  { db }: Pick<IdentityContext, 'db'>,
  projectId: string,
): Promise<{ tenant: Tenant; sharedLinks: boolean } | undefined> {
  const row = await db
    .selectFrom('projects as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .select(['o.id', 'o.plan', 'o.shared_links'])
    .where('p.id', '=', projectId)
    .executeTakeFirst();
  return row && { tenant: { organizationId: row.id, projectId, plan: row.plan }, sharedLinks: row.shared_links };
}

/** The oldest projects of an organization, for an overview of all. */
export function projectsOf(
  { db }: Pick<IdentityContext, 'db'>,
  organizationId: string,
  most: number,
): Promise<Array<{ id: string; name: string; slug: string }>> {
  return db
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
}
