import type { Database } from '../../platform/postgres/index.ts';

/** The names of the alert rules that name some environments, by environment. */
export async function alertsOfEnvironments(
  db: Database,
  projectId: string,
  environments: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const names = new Map<string, string[]>();
  if (environments.length === 0) return names;
  const rows = await db
    .selectFrom('alert_rules')
    .select(['name', 'environment'])
    .where('project_id', '=', projectId)
    .where('environment', 'in', environments)
    .execute();
  for (const { name, environment } of rows) {
    if (environment !== null) names.set(environment, [...(names.get(environment) ?? []), name]);
  }
  return names;
}
