import type { Kysely } from 'kysely';
import type { IncidentsDb } from './tables.ts';

/** The ids of incidents of some environments that are not resolved, by environment. */
export async function incidentsOfEnvironments(
  db: Kysely<never>,
  projectId: string,
  environments: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const ids = new Map<string, string[]>();
  if (environments.length === 0) return ids;
  const rows = await (db as unknown as IncidentsDb)
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
