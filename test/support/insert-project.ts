import type { Tenant } from '../../src/platform/http/index.ts';
import type { Database } from '../../src/platform/postgres/index.ts';

/** Stores a project, and its organization if that is missing. Their names and slugs are their ids. */
export async function insertProject(
  database: Database,
  { organizationId, projectId, plan }: Tenant,
  created: { atMs: number },
): Promise<void> {
  const db = database.withTables<{ organizations: Record<string, unknown>; projects: Record<string, unknown> }>();
  const named = (id: string) => ({ id, name: id, slug: id, created_at: new Date(created.atMs) });
  await db
    .insertInto('organizations')
    .values({ ...named(organizationId), plan })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('projects')
    .values({ ...named(projectId), organization_id: organizationId })
    .execute();
}
