import type { ChangeRecord } from '../../contract/changes.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Incident } from '../../contract/incidents.ts';
import type { IncidentRow } from './tables.ts';
import type { Database } from '../../platform/postgres/index.ts';

type IncidentEvent = Incident['events'][number];

/** A change as an incident keeps it. Those of incidents that were opened before changes had the key do not have it. */
type StoredChange = Omit<ChangeRecord, 'idempotencyKey'> & Partial<Pick<ChangeRecord, 'idempotencyKey'>>;

/** Incidents as the API returns them, in the given order. */
export async function recordsOf(db: Database, rows: readonly IncidentRow[]): Promise<Incident[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await db.selectFrom('incident_events').selectAll().where('incident_id', 'in', ids).orderBy('id').execute();
  const events = new Map<string, IncidentEvent[]>();
  for (const { incident_id: id, at, kind, by, note } of found) {
    const list = events.get(id) ?? [];
    list.push({ at: at.toISOString(), kind, by, note });
    events.set(id, list);
  }
  return rows.map((row) => recordOf(row, events.get(row.id) ?? []));
}

function recordOf(row: IncidentRow, events: IncidentEvent[]): Incident {
  return {
    id: row.id,
    projectId: row.project_id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    type: row.type,
    scope: row.scope === '' ? null : row.scope,
    environment: row.environment,
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
    value: row.value,
    peakValue: row.peak_value,
    threshold: row.threshold,
    summary: row.summary,
    sampleTraceIds: row.sample_trace_ids,
    changes: (JSON.parse(row.changes) as StoredChange[]).map((change) => ({ idempotencyKey: null, ...change })),
    events,
  };
}

/**
 * An incident of a project by its id.
 *
 * @param lock whether to lock its row until the end of the transaction
 *
 * Errors: `not_found`.
 */
export async function findIncident(
  db: Database,
  projectId: string,
  incidentId: string,
  { lock = false } = {},
): Promise<IncidentRow> {
  const row = await db
    .selectFrom('incidents')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', uuidOrNull(incidentId))
    .$if(lock, (select) => select.forUpdate())
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'There is no such incident in this project; list them to see which there are.');
  return row;
}
