import { changePrompts } from './change-prompts.ts';
import { requireFamily, touchVersions } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';

/**
 * Moves a prompt with all its versions to a folder; null is the root (docs/semantics.md, "Tags and folders"). Errors: `not_found`.
 *
 * @returns `updatedCount`, the number of its versions
 */
export function moveFolder(
  context: PromptsContext,
  projectId: string,
  name: string,
  folder: string | null,
): Promise<{ success: boolean; folder: string | null; updatedCount: number }> {
  return changePrompts(context, projectId, async (transaction) => {
    const { id } = await requireFamily(transaction, projectId, name);
    await transaction.updateTable('prompt_families').set({ folder }).where('id', '=', id).execute();
    return { success: true, folder, updatedCount: await touchVersions(transaction, id, new Date(context.clock.now())) };
  });
}
