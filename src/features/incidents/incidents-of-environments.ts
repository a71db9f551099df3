import type { Database } from '../../platform/postgres/index.ts';

/** The ids of incidents of some environments that are not resolved, by environment. */
export async function incidentsOfEnvironments(
  db: Database,
  projectId: string,
  environments: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const ids = new Map<string, string[]>();
  if (environments.length === 0) return ids;
  const rows = await db
    .selectFrom('incidents')
    .select(['id', 'environment'])
    .where('project_id', '=', projectId)
    .where('status', '<>', 'resolved')
    .where('environment', 'in', environments)
    .execute();
  for (const { id, environment } of rows) {
    if (environment !== null) ids.set(environment, [...(ids.get(environment) ?? []), id]);
  }
  return ids;
}
