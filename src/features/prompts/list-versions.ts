import type { PromptVersion, VersionsQuery } from '../../contract/prompts.ts';
import { listedVersions, mostVersions, requireFamily } from './family-store.ts';
import { decodePosition, encodePosition, refuseCursor } from './position.ts';
import type { PromptsContext } from './prompts-context.ts';
import { versionRecords } from './version-records.ts';

/**
 * The versions of a prompt, newest first; all of them without `limit`, as far as one answer holds them. Errors: `not_found`.
 */
export async function listVersions(
  context: Pick<PromptsContext, 'db'>,
  projectId: string,
  name: string,
  query: VersionsQuery,
): Promise<{ versions: PromptVersion[]; nextCursor: string | null }> {
  const { db } = context;
  const family = await requireFamily(db, projectId, name);
  const before = decodePosition(query.cursor);
  if (typeof before === 'string') throw refuseCursor();
  const limit = query.limit ?? mostVersions;
  const listed = await listedVersions(db, family.id, { ...(before === null ? {} : { before }), limit: limit + 1 });
  const versions = await versionRecords(db, projectId, listed.slice(0, limit));
  const last = versions.at(-1);
  return { versions, nextCursor: last && versions.length < listed.length ? encodePosition(last.version) : null };
}
