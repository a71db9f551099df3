import type { Acting } from '../../contract/actor.ts';
import type { EnvironmentChange, EnvironmentRecord } from '../../contract/environments.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { changePolicies, writePolicy } from '../policy-revisions/index.ts';
import { recordOf, refuseManagedByCode } from './environment-record.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { lastSeen } from './last-seen.ts';
import { readAttachments } from './read-attachments.ts';
import { recordEnvironmentChange } from './record-environment.ts';

const updated = { create: 0, update: 1, remove: 0 };

/**
 * Changes the description of an environment; its name never changes. A change to the same description counts no revision.
 *
 * Errors: `not_found`; `managed_by_code`.
 */
export async function changeEnvironment(
  context: EnvironmentsContext,
  tenant: Tenant,
  acting: Acting,
  environmentId: string,
  change: EnvironmentChange,
): Promise<EnvironmentRecord> {
  const { projectId } = tenant;
  const { name } = await findEnvironment(context.db, projectId, environmentId);
  // Before the change: when ClickHouse cannot be read, nothing is changed.
  const seen = await lastSeen(context, tenant, [name]);
  const { row, attached } = await changePolicies(context, acting, 'dashboard', async (locked) => {
    const { transaction } = locked;
    const before = await findEnvironment(transaction, projectId, environmentId);
    refuseManagedByCode(before);
    const attachments = await readAttachments(context.attachmentReaders, transaction, projectId, [name]);
    const result = { row: before, attached: attachments.get(name) };
    const { description = before.description } = change;
    if (description === before.description) return { result, recorded: null };
    // It stays detached: a file that names it is refused until it is attached again.
    const management = { managedBy: 'dashboard', detached: before.detached, path: before.path } as const;
    await writePolicy(locked, projectId, { kind: 'Environment', name, spec: { description } }, management);
    const row = await findEnvironment(transaction, projectId, environmentId);
    const auditLogId = await recordEnvironmentChange(locked, context.clock, acting, row, ['description']);
    return { result: { ...result, row }, recorded: { summary: updated, auditLogId } };
  });
  return recordOf(row, attached, seen.get(name) ?? null);
}
