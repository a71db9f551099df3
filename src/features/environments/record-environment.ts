import type { Acting } from '../../contract/actor.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { recordAudit } from '../audit/index.ts';
import type { EnvironmentRow, LockedPolicies } from '../policy-revisions/index.ts';

/** Records that an environment was created or deleted. Call last in the transaction. @returns the entry's id */
export function recordEnvironment(
  { transaction, nextRevision }: LockedPolicies,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'environment.created' | 'environment.deleted',
  { id, name }: Pick<EnvironmentRow, 'id' | 'name'>,
): Promise<string> {
  const detail = { name, revision: nextRevision };
  return recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: id, detail });
}

/** Records which fields of an environment have changed. Call last in the transaction. @returns the entry's id */
export function recordEnvironmentChange(
  { transaction, nextRevision }: LockedPolicies,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  { id, name }: Pick<EnvironmentRow, 'id' | 'name'>,
  changed: string[],
): Promise<string> {
  const detail = { name, revision: nextRevision, changed };
  return recordAudit(transaction, clock, { organizationId, projectId, kind: 'environment.updated', actor, subject: id, detail });
}
