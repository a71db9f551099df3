import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ListQuery } from '../../contract/identity.ts';
import { decodeCursor, pageOf } from '../../contract/page.ts';
import type { Plan } from '../../contract/plans.ts';
import { nowOf } from './context.ts';
import type { IdentityContext } from './context.ts';
import { underFreeSlug } from './slug.ts';

export interface ProjectRecord {
  id: string;
  organizationId: string;
  name: string;
  slug: string;
  createdAt: string;
}

/** Makes a project in an organisation. */
export async function createProject(
  context: IdentityContext,
  organizationId: string,
  input: { name: string },
): Promise<ProjectRecord> {
  const id = uuidv7();
  const now = nowOf(context);
  const slug = await underFreeSlug(input.name, 'projects_slug', async (candidate) => {
    await context.db
      .insertInto('projects')
      .values({ id, organization_id: organizationId, name: input.name, slug: candidate, created_at: now })
      .execute();
    return candidate;
  });
  return { id, organizationId, name: input.name, slug, createdAt: now.toISOString() };
}

/** The projects of an organisation, oldest first. */
export async function listProjects(
  context: IdentityContext,
  organizationId: string,
  query: ListQuery,
): Promise<{ projects: ProjectRecord[]; nextCursor: string | null }> {
  const after = decodeCursor(query.cursor);
  let select = context.db
    .selectFrom('projects')
    .select(['id', 'organization_id as organizationId', 'name', 'slug', 'created_at'])
    .where('organization_id', '=', organizationId);
  if (after) select = select.where(sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('created_at')
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const records = rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt: createdAt.toISOString() }));
  const { items, nextCursor } = pageOf(records, query.limit);
  return { projects: items, nextCursor };
}

/** Every project with its organisation's plan, for jobs. */
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
