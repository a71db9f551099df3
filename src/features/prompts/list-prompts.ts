import { sql } from 'kysely';
import { promptFolder } from '../../contract/prompts.ts';
import type { ListedPrompt, PromptsQuery } from '../../contract/prompts.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import { familyLabels } from './family-labels.ts';
import type { PromptsContext } from './prompts-context.ts';
import { versionRecords } from './version-records.ts';

/** Names have the collation "C", which is code point order. */
const byName = new Keyset([{ name: 'f.name', type: 'text' }]);

/**
 * The latest version of each prompt with the labels of all its versions, by name in code point order (docs/semantics.md, "Fetching a prompt"). A page of large prompts has
 * fewer than `limit` entries; `nextCursor` continues after it.
 */
export async function listPrompts(
  context: Pick<PromptsContext, 'db'>,
  projectId: string,
  query: PromptsQuery,
): Promise<{ prompts: ListedPrompt[]; nextCursor: string | null }> {
  const { db } = context;
  let select = db
    .selectFrom('prompt_families as f')
    .innerJoin('prompt_versions as v', (join) =>
      join.onRef('v.family_id', '=', 'f.id').onRef('v.version', '=', 'f.latest_version'),
    )
    .select(['v.id', sql<number>`octet_length(v.prompt) + octet_length(v.config)`.as('bytes')])
    .where('f.project_id', '=', projectId);
  if (query.tag !== undefined) select = select.where(sql<boolean>`${query.tag} = ANY(f.tags)`);
  if (query.q !== undefined && query.q !== '')
    select = select.where(sql<boolean>`strpos(f.search_name, ${query.q.toLowerCase()}) > 0`);
  const folder = folderOf(query.folder);
  if (folder === 'none') return { prompts: [], nextCursor: null };
  if (folder) {
    const below = query.subfolders === 'true';
    // Every folder is below the root.
    if (folder.path === null && !below) select = select.where('f.folder', 'is', null);
    if (folder.path !== null) {
      const inside = below ? sql<boolean>`OR starts_with(f.folder, ${`${folder.path}/`})` : sql``;
      select = select.where(sql<boolean>`(f.folder = ${folder.path} ${inside})`);
    }
  }
  const rows = await byName.select(select, query).execute();
  const newest = await versionRecords(db, projectId, rows.slice(0, query.limit));
  const names = newest.map(({ name }) => name);
  const labels = await familyLabels(db, projectId, names);
  const prompts = newest.map((version) => ({ ...version, familyLabels: labels.get(version.name) ?? [] }));
  const last = prompts.at(-1);
  return { prompts, nextCursor: last && prompts.length < rows.length ? byName.cursorAfter(last) : null };
}

/** The requested folder in its stored form; `none` for an invalid folder, which contains nothing. */
function folderOf(given: string | undefined): { path: string | null } | 'none' | null {
  if (given === undefined) return null;
  const folder = promptFolder.safeParse(given);
  return folder.success ? { path: folder.data } : 'none';
}
