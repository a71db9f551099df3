import { sql } from 'kysely';
import { promptFolder } from '../../contract/prompts.ts';
import type { PromptsQuery, PromptVersion } from '../../contract/prompts.ts';
import { decodePosition, encodePosition, refuseCursor } from './position.ts';
import type { PromptsContext } from './prompts-context.ts';
import { versionRecords } from './version-records.ts';

/**
 * The newest version of each prompt, by name in code point order (contract section 6). A page is shorter than `limit` when its prompts are
 * large; `nextCursor` then leads on.
 */
export async function listPrompts(
  context: Pick<PromptsContext, 'db'>,
  projectId: string,
  query: PromptsQuery,
): Promise<{ prompts: PromptVersion[]; nextCursor: string | null }> {
  const { db } = context;
  const after = decodePosition(query.cursor);
  if (after !== null && typeof after !== 'string') throw refuseCursor();
  let select = db
    .selectFrom('prompt_families as f')
    .innerJoin('prompt_versions as v', (join) => join.onRef('v.family_id', '=', 'f.id').onRef('v.version', '=', 'f.last_version'))
    .select(['v.id', sql<number>`octet_length(v.prompt) + octet_length(v.config)`.as('bytes')])
    .where('f.project_id', '=', projectId);
  if (after !== null) select = select.where('f.name', '>', after);
  if (query.tag !== undefined) select = select.where(sql<boolean>`${query.tag} = ANY(f.tags)`);
  if (query.q !== undefined && query.q !== '')
    select = select.where(sql<boolean>`strpos(f.search_name, ${query.q.toLowerCase()}) > 0`);
  const folder = folderOf(query.folder);
  if (folder === 'none') return { prompts: [], nextCursor: null };
  if (folder) {
    const below = query.subfolders === 'true';
    // All folders are below the root.
    if (folder.path === null && !below) select = select.where('f.folder', 'is', null);
    if (folder.path !== null) {
      const inside = below ? sql<boolean>`OR starts_with(f.folder, ${`${folder.path}/`})` : sql``;
      select = select.where(sql<boolean>`(f.folder = ${folder.path} ${inside})`);
    }
  }
  const rows = await select
    .orderBy('f.name')
    .limit(query.limit + 1)
    .execute();
  const prompts = await versionRecords(db, projectId, rows.slice(0, query.limit));
  const last = prompts.at(-1);
  return { prompts, nextCursor: last && prompts.length < rows.length ? encodePosition(last.name) : null };
}

/** The folder that is asked for, written as it is stored; `none`: what cannot be a folder has nothing in it. */
function folderOf(given: string | undefined): { path: string | null } | 'none' | null {
  if (given === undefined) return null;
  const folder = promptFolder.safeParse(given);
  return folder.success ? { path: folder.data } : 'none';
}
