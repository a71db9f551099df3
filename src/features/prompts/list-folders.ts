import type { PromptsContext } from './prompts-context.ts';

/** The distinct folders of a project's prompts in code point order, without the root (docs/semantics.md, "Tags and folders"). */
export async function listFolders(context: Pick<PromptsContext, 'db'>, projectId: string): Promise<string[]> {
  const rows = await context.db
    .selectFrom('prompt_families')
    .select('folder')
    .distinct()
    .where('project_id', '=', projectId)
    .where('folder', 'is not', null)
    .orderBy('folder')
    .execute();
  return rows.flatMap(({ folder }) => folder ?? []);
}
