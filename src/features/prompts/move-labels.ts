import type { LabelsBody, PromptVersion } from '../../contract/prompts.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RequestActor } from '../../contract/actor.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { acceptProposal } from './accept-proposal.ts';
import { changePrompts } from './change-prompts.ts';
import { resolveOrRefuse } from './create-version.ts';
import { newestVersions, requireFamily } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';
import { recordMovedLabels, removeLabels, setLabels } from './set-labels.ts';
import { versionRecords } from './version-records.ts';
import { findVersion } from './version-store.ts';

/**
 * Moves labels to a version from the others of its family, takes labels off it (docs/semantics.md, "Labels"), and records both in the audit log. A
 * proposal becomes an ordinary version by its first label.
 *
 * Errors: `not_found` for an unknown prompt or version, `invalid_request` when references would form a cycle.
 * @returns the versions of the family, newest first
 */
export function moveLabels(
  context: PromptsContext,
  { tenant, actor }: { tenant: Tenant; actor: RequestActor },
  name: string,
  { version, labels, remove }: LabelsBody,
): Promise<PromptVersion[]> {
  const { projectId } = tenant;
  return changePrompts(context, projectId, async (transaction) => {
    const family = await requireFamily(transaction, projectId, name);
    const row = await findVersion(transaction, projectId, { name, version, label: null });
    if (!row)
      throw new ServiceError('not_found', `This prompt has no version ${version}; its newest one is ${family.last_version}.`);
    const now = new Date(context.clock.now());
    const removed = await removeLabels(transaction, row, remove, now);
    const moved = await setLabels(transaction, family, row, labels, now);
    if (moved.length > 0) {
      if (row.proposal) await acceptProposal(transaction, row);
      await resolveOrRefuse(transaction, projectId, row, '/labels');
    }
    const records = await versionRecords(transaction, projectId, await newestVersions(transaction, family.id));
    await recordMovedLabels(transaction, context.clock, { tenant, actor, name, moved: [...moved, ...removed] });
    return records;
  });
}
