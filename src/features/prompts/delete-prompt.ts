import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { changePrompts } from './change-prompts.ts';
import { requireFamily } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';

/** Maximum prompts named in the error. */
const maxNamed = 5;

/**
 * Deletes a prompt with all its versions. A later prompt of the same name starts at version 1.
 *
 * Errors: `not_found`; `conflict` while any version of another prompt refers to it.
 */
export function deletePrompt(context: PromptsContext, acting: Acting, name: string): Promise<void> {
  const { projectId } = acting;
  return changePrompts(context, projectId, async (transaction) => {
    const { id } = await requireFamily(transaction, projectId, name);
    const referring = await transaction
      .selectFrom('prompt_references as r')
      .innerJoin('prompt_versions as v', 'v.id', 'r.version_id')
      .innerJoin('prompt_families as f', 'f.id', 'v.family_id')
      .select('f.name')
      .distinct()
      .where('r.family_id', '=', id)
      .where('f.id', '!=', id)
      .orderBy('f.name')
      .limit(maxNamed + 1)
      .execute();
    if (referring.length > 0) {
      const names = referring.slice(0, maxNamed).map((family) => `"${family.name}"`);
      if (referring.length > maxNamed) names.push('others');
      throw new ServiceError(
        'conflict',
        `Versions of ${names.join(', ')} refer to this prompt; delete those first, since a version keeps its references for ever.`,
      );
    }
    const { versions } = await transaction
      .selectFrom('prompt_versions')
      .select(({ fn }) => fn.countAll<number>().as('versions'))
      .where('family_id', '=', id)
      .executeTakeFirstOrThrow();
    await transaction.deleteFrom('prompt_families').where('id', '=', id).execute();
    await recordAudit(transaction, context.clock, {
      ...acting,
      kind: 'prompt.deleted',
      subject: name,
      detail: { name, versions },
    });
  });
}
