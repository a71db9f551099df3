import { sql } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import type { ListedVersion } from './version-records.ts';
import type { Database } from '../../platform/postgres/index.ts';

export interface Family {
  id: string;
  name: string;
  last_version: number;
}

/** Maximum versions in one answer. */
export const maxVersions = 1_000;

/** A family by name. Errors: `not_found`. */
export async function requireFamily(db: Database, projectId: string, name: string): Promise<Family> {
  const family = await findFamily(db, projectId, name);
  if (family) return family;
  throw new ServiceError('not_found', 'There is no prompt of this name in the project; GET /v1/prompts lists what there is.');
}

export async function findFamily(db: Database, projectId: string, name: string): Promise<Family | null> {
  const family = await db
    .selectFrom('prompt_families')
    .select(['id', 'name', 'last_version'])
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  return family ?? null;
}

export const newestVersionFirst = new Keyset([{ name: 'version', type: 'integer' }], 'desc');

/** The query for a family's versions, unordered. */
export function versionsOf(db: Database, familyId: string) {
  return db
    .selectFrom('prompt_versions')
    .select(['id', 'version', sql<number>`octet_length(prompt) + octet_length(config)`.as('bytes')])
    .where('family_id', '=', familyId);
}

/** The newest versions of a family, newest first, at most {@link maxVersions}. */
export async function newestVersions(db: Database, familyId: string): Promise<Array<ListedVersion & { version: number }>> {
  const { rows } = await newestVersionFirst.read(versionsOf(db, familyId), { limit: maxVersions });
  return rows;
}

/** Sets the update time of all versions of a family; resolves with their count. */
export async function touchVersions(db: Database, familyId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('prompt_versions')
    .set({ updated_at: now })
    .where('family_id', '=', familyId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
