import { ServiceError } from '../../contract/errors.ts';
import type { Incident, IncidentPage, ListIncidentsQuery } from '../../contract/incidents.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { findIncident, recordsOf } from './incident-record.ts';
import type { Database } from '../../platform/postgres/index.ts';

const newestFirst = byCreation('desc', { createdAt: 'opened_at' });

/**
 * The incidents of a project, the last opened first (docs/semantics.md, "Incidents").
 *
 * Errors: `invalid_request` for a cursor of another list, and for `from` after `to`.
 */
export async function listIncidents(db: Database, projectId: string, query: ListIncidentsQuery): Promise<IncidentPage> {
  const { status, ruleId, environment, from, to } = query;
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    throw new ServiceError('invalid_request', 'Send a from that is not after to.', {
      details: [{ path: '/from', message: 'must not be after to' }],
    });
  }
  let select = db.selectFrom('incidents').selectAll().where('project_id', '=', projectId);
  if (status !== undefined) select = select.where('status', '=', status);
  if (ruleId !== undefined) select = select.where('rule_id', '=', ruleId);
  if (environment !== undefined) select = select.where('environment', '=', environment);
  if (from !== undefined) select = select.where('opened_at', '>=', new Date(Date.parse(from)));
  if (to !== undefined) select = select.where('opened_at', '<', new Date(Date.parse(to) + 1));
  const { rows, nextCursor } = await newestFirst.read(select, query);
  return { incidents: await recordsOf(db, rows), nextCursor };
}

/** An incident of a project. Errors: `not_found`. */
export async function getIncident(db: Database, projectId: string, incidentId: string): Promise<Incident> {
  const [record] = await recordsOf(db, [await findIncident(db, projectId, incidentId)]);
  if (!record) throw new Error('an incident has no record');
  return record;
}
