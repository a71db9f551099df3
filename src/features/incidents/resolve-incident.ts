import { addEvent, announce } from './announce.ts';
import type { IncidentsPorts } from './incidents-context.ts';
import type { IncidentRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

export interface IncidentResolution {
  at: Date;
  by: string;
  /** Why: docs/semantics.md, "Incidents". */
  resolution: string;
  note?: string | null;
  /** The figure that resolves it; absent or null: as before. */
  value?: number | null;
}

/** Resolves incidents and announces it, in the caller's transaction. Resolved ones stay as they are. @returns the resolved ones */
export async function resolveIncidents(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  incidentIds: readonly string[],
  { at, by, resolution, note = null, value = null }: IncidentResolution,
): Promise<IncidentRow[]> {
  if (incidentIds.length === 0) return [];
  const rows = await transaction
    .updateTable('incidents')
    .set({ status: 'resolved', resolved_at: at, resolved_by: by, resolution, ...(value === null ? {} : { value }) })
    .where('id', 'in', incidentIds)
    .where('status', '<>', 'resolved')
    .returningAll()
    .execute();
  for (const row of rows) {
    await addEvent(transaction, row.id, { at, kind: 'resolved', by, note });
    await announce(ports, transaction, 'incident.resolved', row);
  }
  return rows;
}

/** Resolves every incident of a rule that is not resolved, in the caller's transaction. */
export async function resolveIncidentsOfRule(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  ruleId: string,
  resolution: IncidentResolution,
): Promise<void> {
  const rows = await transaction
    .selectFrom('incidents')
    .select('id')
    .where('rule_id', '=', ruleId)
    .where('status', '<>', 'resolved')
    .orderBy('id')
    .execute();
  await resolveIncidents(
    ports,
    transaction,
    rows.map(({ id }) => id),
    resolution,
  );
}
