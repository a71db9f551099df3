import type { Selectable } from 'kysely';
import type { ChangeRecord } from '../../contract/changes.ts';
import type { ChangeTables } from './tables.ts';

export type ChangeRow = Selectable<ChangeTables['project_changes']> & { idempotency_key: string | null };

/** A change as the API returns it. */
export function recordOf(row: ChangeRow): ChangeRecord {
  const metadata = objectOf(row.metadata);
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    service: row.service,
    version: row.version,
    commitSha: row.commit_sha,
    environment: row.environment,
    actor: row.actor,
    url: row.url,
    at: row.at.toISOString(),
    description: row.audit_kind === null ? row.description : describe(row.audit_kind, metadata),
    idempotencyKey: row.idempotency_key,
    metadata,
    source: row.audit_kind === null ? 'api' : 'automatic',
    createdAt: row.created_at.toISOString(),
  };
}

/** A detail of the audit log that tampering made invalid is left out. */
function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const verbs: Readonly<Record<string, string>> = { created: 'created', updated: 'changed', deleted: 'deleted' };

function describe(kind: string, detail: Readonly<Record<string, unknown>>): string {
  if (kind === 'prompt.labels_moved') {
    const moved = Array.isArray(detail['labels']) ? (detail['labels'] as Array<{ label?: unknown; to?: unknown }>) : [];
    return `Prompt ${shown(detail['name'])}: ${moved.map(({ label, to }) => `label ${shown(label)} ${to === null ? 'removed' : `moved to version ${shown(to)}`}`).join(', ')}`;
  }
  if (kind === 'policy.applied') return `Policy files applied, revision ${shown(detail['revision'])}`;
  const [object = '', verb = ''] = kind.split('.');
  return `${object === 'guardrail' ? 'Guardrail' : 'Evaluator'} ${shown(detail['slug'])} ${verbs[verb] ?? verb}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
