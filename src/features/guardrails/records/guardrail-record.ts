import type { GuardrailRecord } from '../../../contract/guardrails.ts';
import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { GuardrailRow } from '../../policy-revisions/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** A guardrail as the API returns it. */
export function recordOf(row: GuardrailRow): GuardrailRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    stage: row.stage,
    action: row.action,
    config: JSON.parse(row.config) as GuardrailRecord['config'],
    environments: row.environments,
    priority: row.priority,
    enabled: row.enabled,
    onError: row.on_error,
    managedBy: row.managed_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A guardrail of a project by its id. Errors: `not_found`. */
export async function findGuardrail(db: Database, projectId: string, guardrailId: string): Promise<GuardrailRow> {
  const row = await db
    .selectFrom('guardrails')
    .selectAll()
    .where('id', '=', uuidOrNull(guardrailId))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', 'There is no such guardrail in this project; list them to see which there are.');
}

/** Throws `managed_by_code` for a guardrail that applied files manage. */
export function refuseManagedByCode({ slug, managed_by: managedBy }: Pick<GuardrailRow, 'slug' | 'managed_by'>): void {
  if (managedBy === 'dashboard') return;
  throw new ServiceError(
    'managed_by_code',
    `The guardrail ${slug} is managed by policy files; detach it first, or change its file and apply it.`,
  );
}
