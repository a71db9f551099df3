import type { RequestActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { latestLabel } from '../../contract/prompts.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { changePrompts } from './change-prompts.ts';
import { requireFamily } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';
import { recordMovedLabels, removeLabels } from './set-labels.ts';

/**
 * Removes a label from the version that has it (docs/semantics.md, "Labels"), and records it in the audit log.
 *
 * Errors: `not_found` for an unknown prompt, or where no version has the label; `invalid_request` for `latest`.
 */
export function removeLabel(
  context: PromptsContext,
  { tenant, actor }: { tenant: Tenant; actor: RequestActor },
  { name, label }: { name: string; label: string },
): Promise<void> {
  if (label === latestLabel)
    throw new ServiceError('invalid_request', 'Name another label; latest always sits on the newest version.');
  return changePrompts(context, tenant.projectId, async (transaction) => {
    const family = await requireFamily(transaction, tenant.projectId, name);
    const holder = await transaction
      .selectFrom('prompt_labels as l')
      .innerJoin('prompt_versions as v', 'v.id', 'l.version_id')
      .select(['v.id', 'v.version'])
      .where('l.family_id', '=', family.id)
      .where('l.label', '=', label)
      .executeTakeFirst();
    if (!holder)
      throw new ServiceError('not_found', 'No version of this prompt has this label; list its versions to see which do.');
    const moved = await removeLabels(transaction, holder, [label], new Date(context.clock.now()));
    await recordMovedLabels(transaction, context.clock, { tenant, actor, name, moved });
  });
}
