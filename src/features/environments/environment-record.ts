import type { EnvironmentAttachments, EnvironmentRecord } from '../../contract/environments.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { EnvironmentRow } from '../policy-revisions/index.ts';

/** An environment as the API returns it. */
export function recordOf(
  row: EnvironmentRow,
  attached: EnvironmentAttachments | undefined,
  lastSeenAt: string | null,
): EnvironmentRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    managedBy: row.managed_by,
    attached: attached ?? { guardrails: [], alerts: [], incidents: [] },
    lastSeenAt,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function noSuchEnvironment(): ServiceError {
  return new ServiceError('not_found', 'There is no such environment in this project; list them to see which there are.');
}

/** Throws `managed_by_code` for an environment that applied files manage. */
export function refuseManagedByCode({ name, managed_by: managedBy }: Pick<EnvironmentRow, 'name' | 'managed_by'>): void {
  if (managedBy === 'dashboard') return;
  throw new ServiceError(
    'managed_by_code',
    `The environment ${name} is managed by policy files; detach it first, or change its file and apply it.`,
  );
}
