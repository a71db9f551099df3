import type { Acting } from '../../contract/actor.ts';
import { changePolicies, removePolicy } from '../policy-revisions/index.ts';
import { refuseManagedByCode } from './environment-record.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { readAttachments, refuseInUse } from './read-attachments.ts';
import { recordEnvironment } from './record-environment.ts';

const removed = { create: 0, update: 0, remove: 1 };

/**
 * Deletes an environment that nothing names. What is attached is read under the project's lock, so that no guardrail of it can be created meanwhile.
 *
 * Errors: `not_found`; `managed_by_code`; `environment_in_use` with `attached`.
 */
export async function deleteEnvironment(context: EnvironmentsContext, acting: Acting, environmentId: string): Promise<void> {
  const { projectId } = acting;
  await changePolicies(context, acting, 'dashboard', async (locked) => {
    const { transaction } = locked;
    const row = await findEnvironment(transaction, projectId, environmentId);
    refuseManagedByCode(row);
    refuseInUse(await readAttachments(context.attachmentReaders, transaction, projectId, [row.name]));
    await removePolicy(locked, projectId, 'Environment', row.name);
    const auditLogId = await recordEnvironment(locked, context.clock, acting, 'environment.deleted', row);
    return { result: undefined, recorded: { summary: removed, auditLogId } };
  });
}
