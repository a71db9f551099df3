import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { PromptTables } from './tables.ts';
import type { ListedVersion } from './version-records.ts';

export interface Family {
  id: string;
  name: string;
  last_version: number;
}

/** Most versions that one answer shows. */
export const mostVersions = 1_000;

/** A family by name. Errors: `not_found`. */
export async function requireFamily(db: Kysely<PromptTables>, projectId: string, name: string): Promise<Family> {
  const family = await findFamily(db, projectId, name);
  if (family) return family;
  throw new ServiceError('not_found', 'There is no prompt of this name in the project; GET /v1/prompts lists what there is.');
}

export async function findFamily(db: Kysely<PromptTables>, projectId: string, name: string): Promise<Family | null> {
  const family = await db
    .selectFrom('prompt_families')
    .select(['id', 'name', 'last_version'])
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  return family ?? null;
}

/**
 * The versions of a family, newest first.
 *
 * @param before only those with a lower number
 */
export function listedVersions(
  db: Kysely<PromptTables>,
  familyId: string,
  { before, limit }: { before?: number; limit: number },
): Promise<Array<ListedVersion & { version: number }>> {
  let select = db
    .selectFrom('prompt_versions')
    .select(['id', 'version', sql<number>`octet_length(prompt) + octet_length(config)`.as('bytes')])
    .where('family_id', '=', familyId);
  if (before !== undefined) select = select.where('version', '<', before);
  return select.orderBy('version', 'desc').limit(limit).execute();
}

/** Notes that all versions of a family have changed; resolves with how many there are. */
export async function touchVersions(db: Kysely<PromptTables>, familyId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('prompt_versions')
    .set({ updated_at: now })
    .where('family_id', '=', familyId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
