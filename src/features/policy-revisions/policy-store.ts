import { v7 as uuidv7 } from 'uuid';
import type { PolicyKind } from '../../contract/policies.ts';
import type { LockedPolicies } from './change-policies.ts';
import type { GuardrailRow } from './read-policies.ts';
import type { Specification } from './specification.ts';

/** Who manages a record: the dashboard, or the applied file at `path`. */
export interface Management {
  managedBy: 'dashboard' | 'code';
  detached: boolean;
  path: string | null;
}

/**
 * Creates an environment or guardrail, or replaces every field of the one with this name.
 *
 * @param projectId the locked project
 * @returns its id
 */
export async function writePolicy(
  locked: LockedPolicies,
  projectId: string,
  policy: Specification,
  { managedBy, detached, path }: Management,
): Promise<string> {
  const { transaction, now, by } = locked;
  const managed = { managed_by: managedBy, detached, path, updated_by: by, updated_at: now };
  const created = { id: uuidv7(), project_id: projectId, created_at: now };
  if (policy.kind === 'Environment') {
    const fields = { ...managed, description: policy.spec.description };
    const { id } = await transaction
      .insertInto('environments')
      .values({ ...created, name: policy.name, ...fields })
      .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet(fields))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const { displayName, type, stage, action, config, environments, priority, enabled, onError } = policy.spec;
  const fields = {
    ...managed,
    name: displayName,
    type,
    stage,
    action,
    config: JSON.stringify(config),
    environments,
    priority,
    enabled,
    on_error: onError,
    compiled_size: policy.compiledSize ?? 0,
  };
  const { id } = await transaction
    .insertInto('guardrails')
    .values({ ...created, slug: policy.name, ...fields })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doUpdateSet(fields))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes an environment or guardrail by its name. */
export async function removePolicy(
  { transaction }: LockedPolicies,
  projectId: string,
  kind: PolicyKind,
  name: string,
): Promise<void> {
  await (kind === 'Environment'
    ? transaction.deleteFrom('environments').where('project_id', '=', projectId).where('name', '=', name).execute()
    : transaction.deleteFrom('guardrails').where('project_id', '=', projectId).where('slug', '=', name).execute());
}

/** Records the path of the applied file of a policy. Leaves `updated_by` unchanged. */
export function placePolicy(locked: LockedPolicies, projectId: string, policy: PolicyName, path: string): Promise<void> {
  return update(locked, projectId, policy, { path });
}

/** Changes who manages a policy. */
export function managePolicy(
  locked: LockedPolicies,
  projectId: string,
  policy: PolicyName,
  { managedBy, detached, differs = false }: Omit<Management, 'path'> & { differs?: boolean },
): Promise<void> {
  const { now, by } = locked;
  return update(locked, projectId, policy, { managed_by: managedBy, detached, differs, updated_at: now, updated_by: by });
}

type PolicyName = Pick<Specification, 'kind' | 'name'>;
type ManagedColumns = Pick<GuardrailRow, 'path' | 'managed_by' | 'detached' | 'differs' | 'updated_at' | 'updated_by'>;

async function update(
  { transaction }: LockedPolicies,
  projectId: string,
  { kind, name }: PolicyName,
  columns: Partial<ManagedColumns>,
): Promise<void> {
  await (kind === 'Environment'
    ? transaction.updateTable('environments').set(columns).where('project_id', '=', projectId).where('name', '=', name).execute()
    : transaction.updateTable('guardrails').set(columns).where('project_id', '=', projectId).where('slug', '=', name).execute());
}
