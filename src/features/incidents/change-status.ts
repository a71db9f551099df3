import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Incident, IncidentChange } from '../../contract/incidents.ts';
import type { IncidentStatus } from '../../contract/kinds.ts';
import { recordAudit } from '../audit/index.ts';
import { addEvent, announce } from './announce.ts';
import { findIncident, recordsOf } from './incident-record.ts';
import type { IncidentsContext } from './incidents-context.ts';
import { resolveIncidents } from './resolve-incident.ts';
import type { IncidentRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** The statuses that a person may give an incident, by its status. */
const nextStatuses: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
  open: ['acknowledged', 'resolved'],
  acknowledged: ['resolved'],
  resolved: [],
};

/**
 * A person acknowledges or resolves an incident (docs/semantics.md, "Incidents").
 *
 * Errors: `not_found`; `conflict` for a status that does not follow.
 */
export async function changeStatus(
  context: IncidentsContext,
  acting: Acting,
  incidentId: string,
  { status, note: given }: IncidentChange,
): Promise<Incident> {
  const { db, clock } = context;
  const { organizationId, projectId, actor } = acting;
  const note = given ?? null;
  const record = await db.transaction().execute(async (transaction) => {
    const row = await findIncident(transaction, projectId, incidentId, { lock: true });
    if (status === 'open' || !nextStatuses[row.status].includes(status)) throw refused(row.status, status);
    const moment = { at: new Date(clock.now()), by: actorName(actor), note };
    const changed =
      status === 'acknowledged'
        ? await acknowledge(context, transaction, row, moment)
        : await resolveIncidents(context, transaction, [row.id], { ...moment, resolution: 'manual' });
    const [updated] = await recordsOf(transaction, changed);
    if (!updated) throw new Error('a locked incident was not changed');
    await recordAudit(transaction, clock, {
      organizationId,
      projectId,
      kind: `incident.${status}`,
      actor,
      subject: row.id,
      detail: { rule: row.rule_name, scope: updated.scope, from: row.status, note },
    });
    return updated;
  });
  context.wake();
  return record;
}

async function acknowledge(
  context: IncidentsContext,
  transaction: Transaction,
  { id }: IncidentRow,
  { at, by, note }: { at: Date; by: string; note: string | null },
): Promise<IncidentRow[]> {
  const rows = await transaction
    .updateTable('incidents')
    .set({ status: 'acknowledged', acknowledged_at: at, acknowledged_by: by })
    .where('id', '=', id)
    .returningAll()
    .execute();
  await addEvent(transaction, id, { at, kind: 'acknowledged', by, note });
  for (const row of rows) await announce(context, transaction, 'incident.acknowledged', row);
  return rows;
}

function refused(from: IncidentStatus, to: IncidentStatus): ServiceError {
  const possible = nextStatuses[from];
  const sentence =
    possible.length === 0
      ? 'The incident is resolved, and stays so; a rule that fires again opens another one.'
      : `The incident is ${from} and cannot become ${to}; send the status ${possible.join(' or ')}.`;
  return new ServiceError('conflict', sentence, { details: [{ path: '/status', message: `does not follow ${from}` }] });
}
