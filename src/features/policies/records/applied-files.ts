import type { PolicyFile } from '../../../contract/policies.ts';
import type { AppliedFile } from '../../policy-revisions/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The stored texts with some hashes. */
export async function readContents(
  db: Database,
  projectId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('policy_contents')
    .select(['sha256', 'content'])
    .where('project_id', '=', projectId)
    .where('sha256', 'in', [...new Set(hashes)])
    .execute();
  return new Map(rows.map(({ sha256, content }) => [sha256, content]));
}

/** Applied files with their texts. */
export async function readAppliedFiles(db: Database, projectId: string, files: readonly AppliedFile[]): Promise<PolicyFile[]> {
  const contents = await readContents(
    db,
    projectId,
    files.map(({ sha256 }) => sha256),
  );
  return files.map(({ path, sha256 }) => ({ path, content: contents.get(sha256) ?? '' }));
}
