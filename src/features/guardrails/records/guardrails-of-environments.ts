import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** The slugs of the guardrails that name some environments, by environment. */
export async function guardrailsOfEnvironments(
  db: Database,
  projectId: string,
  environments: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const slugs = new Map<string, string[]>();
  if (environments.length === 0) return slugs;
  const rows = await db
    .selectFrom('guardrails')
    .select(['slug', 'environments'])
    .where('project_id', '=', projectId)
    .where('environments', 'is not', null)
    .where(sql<boolean>`environments && ${environments}::text[]`)
    .execute();
  const wanted = new Set(environments);
  for (const { slug, environments: named } of rows) {
    for (const name of new Set(named)) {
      if (wanted.has(name)) slugs.set(name, [...(slugs.get(name) ?? []), slug]);
    }
  }
  return slugs;
}
