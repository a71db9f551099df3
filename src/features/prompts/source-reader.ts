import { sql } from 'kysely';
import { latestLabel } from '../../contract/prompts.ts';
import { referenceKey } from './references.ts';
import type { Source, SourceReader } from './resolve-prompt.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The label that a fetch without label or version uses. */
export const productionLabel = 'production';

/** Reads the targets of references from the database or within a transaction. */
export function sourceReader(db: Database, projectId: string): SourceReader {
  return {
    async find(references) {
      const { rows } = await sql<{ place: number; id: string; bytes: number }>`
        SELECT r.place, v.id, octet_length(v.prompt) AS bytes
        FROM unnest(${references.map(({ name }) => name)}::text[], ${references.map(({ version }) => version)}::integer[],
          ${references.map(({ label }) => label)}::text[]) WITH ORDINALITY AS r (name, version, label, place)
        JOIN prompt_families f ON f.project_id = ${projectId} AND f.name = r.name
        JOIN prompt_versions v ON v.family_id = f.id AND v.version = ${selectedVersion(sql`r.version`, sql`r.label`)}`.execute(
        db,
      );
      const found = new Map<string, { id: string; bytes: number }>();
      for (const { place, id, bytes } of rows) {
        const reference = references[place - 1];
        if (reference) found.set(referenceKey(reference), { id, bytes });
      }
      return found;
    },
    read: (ids) =>
      db
        .selectFrom('prompt_versions as v')
        .innerJoin('prompt_families as f', 'f.id', 'v.family_id')
        .select(['v.id', 'f.id as familyId', 'f.name', 'v.version', 'v.type', 'v.prompt'])
        .where('f.project_id', '=', projectId)
        .where(sql<boolean>`v.id = ANY(${[...ids]}::uuid[])`)
        .execute() satisfies Promise<Source[]>,
  };
}

/**
 * SQL for the version of family `f` with a number or label; with neither (NULL) the one labelled production, or else the latest. NULL when
 * no version has the label.
 */
export function selectedVersion(version: ReturnType<typeof sql>, label: ReturnType<typeof sql>): ReturnType<typeof sql<number>> {
  const labelled = (name: ReturnType<typeof sql>) =>
    sql`(SELECT w.version FROM prompt_labels l JOIN prompt_versions w ON w.id = l.version_id WHERE l.family_id = f.id AND l.label = ${name})`;
  return sql<number>`CASE WHEN ${version} IS NOT NULL THEN ${version} WHEN ${label} = ${latestLabel} THEN f.latest_version
    WHEN ${label} IS NOT NULL THEN ${labelled(label)} ELSE coalesce(${labelled(sql`${productionLabel}`)}, f.latest_version) END`;
}
