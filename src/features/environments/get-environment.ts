import type { EnvironmentRecord } from '../../contract/environments.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordOf } from './environment-record.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { lastSeen } from './last-seen.ts';
import { readAttachments } from './read-attachments.ts';

/** Errors: `not_found` when the project has no such environment. */
export async function getEnvironment(
  context: EnvironmentsContext,
  tenant: Tenant,
  environmentId: string,
): Promise<EnvironmentRecord> {
  const row = await findEnvironment(context.db, tenant.projectId, environmentId);
  const attached = await readAttachments(context.attachmentReaders, context.db, tenant.projectId, [row.name]);
  const seen = await lastSeen(context, tenant, [row.name]);
  return recordOf(row, attached.get(row.name), seen.get(row.name) ?? null);
}
