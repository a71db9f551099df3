import type { PromptVersion } from '../../contract/prompts.ts';
import { changePrompts } from './change-prompts.ts';
import { newestVersions, requireFamily, touchVersions } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';
import { versionRecords } from './version-records.ts';

/**
 * Replaces the tags of all versions of a prompt (docs/semantics.md, "Tags and folders"). Errors: `not_found`.
 *
 * @returns the versions, newest first
 */
export function replaceTags(
  context: PromptsContext,
  projectId: string,
  name: string,
  tags: readonly string[],
): Promise<PromptVersion[]> {
  return changePrompts(context, projectId, async (transaction) => {
    const { id } = await requireFamily(transaction, projectId, name);
    await transaction
      .updateTable('prompt_families')
      .set({ tags: [...tags] })
      .where('id', '=', id)
      .execute();
    await touchVersions(transaction, id, new Date(context.clock.now()));
    return versionRecords(transaction, projectId, await newestVersions(transaction, id));
  });
}
