import { sql } from 'kysely';
import type { FamilyLabel } from '../../contract/prompts.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Maximum number of labels of a prompt in a list. */
const maxLabels = 50;

/**
 * The labels of prompts with their versions, `production` first and the others by code point, at most 50 of each prompt
 * (docs/semantics.md, "Fetching a prompt").
 *
 * @returns the labels by the prompt's name; none for a prompt without labels
 */
export async function familyLabels(
  db: Database,
  projectId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, FamilyLabel[]>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('prompt_families as f')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('prompt_labels')
          .select(['label', 'version_id'])
          .whereRef('family_id', '=', 'f.id')
          .orderBy(sql`label <> 'production'`)
          .orderBy('label')
          .limit(maxLabels)
          .as('l'),
      (join) => join.onTrue(),
    )
    .innerJoin('prompt_versions as v', 'v.id', 'l.version_id')
    .select(['f.name', 'l.label', 'v.version'])
    .where('f.project_id', '=', projectId)
    .where('f.name', 'in', names)
    .orderBy(sql`l.label <> 'production'`)
    .orderBy('l.label')
    .execute();
  const found = new Map<string, FamilyLabel[]>();
  for (const { name, label, version } of rows) {
    const labels = found.get(name);
    if (labels) labels.push({ label, version });
    else found.set(name, [{ label, version }]);
  }
  return found;
}
