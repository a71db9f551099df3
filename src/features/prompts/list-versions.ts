import type { PromptVersion, VersionsQuery } from '../../contract/prompts.ts';
import { maxVersions, newestVersionFirst, requireFamily, versionsOf } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';
import { versionRecords } from './version-records.ts';

/**
 * The versions of a prompt, newest first; without `limit` all that fit in one answer. Errors: `not_found`.
 */
export async function listVersions(
  context: Pick<PromptsContext, 'db'>,
  projectId: string,
  name: string,
  query: VersionsQuery,
): Promise<{ versions: PromptVersion[]; nextCursor: string | null }> {
  const { db } = context;
  const family = await requireFamily(db, projectId, name);
  const limit = query.limit ?? maxVersions;
  const listed = await newestVersionFirst.select(versionsOf(db, family.id), { cursor: query.cursor, limit }).execute();
  const versions = await versionRecords(db, projectId, listed.slice(0, limit));
  const last = versions.at(-1);
  return { versions, nextCursor: last && versions.length < listed.length ? newestVersionFirst.cursorAfter(last) : null };
}
