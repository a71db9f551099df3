import type { ChangeRecord } from '../../contract/changes.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Incident, IncidentPage, ListIncidentsQuery } from '../../contract/incidents.ts';
import type { IncidentsContext, IncidentsPorts } from './incidents-context.ts';
import { getIncident, listIncidents } from './list-incidents.ts';
import { openIncident } from './open-incident.ts';
import type { NewIncident } from './open-incident.ts';
import { reopenIncident } from './reopen-incident.ts';
import { resolveIncidents, resolveIncidentsOfRule } from './resolve-incident.ts';
import type { IncidentResolution } from './resolve-incident.ts';
import { incidentRoutes } from './routes.ts';
import { updateIncident } from './update-incident.ts';
import type { IncidentUpdate } from './update-incident.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import { dayMs } from '../../contract/durations.ts';

/** Changes that an incident lists. */
const maxChanges = 50;

/** What the evaluation of its rule knows of an incident. */
export interface UnresolvedIncident {
  openedAt: Date;
  /** null where lack of data opened it. */
  peakValue: number | null;
  /** How many sample traces it has. */
  samples: number;
}

/** What the evaluation of alert rules does with incidents, each in its own transaction. `wake` is called after the commit. */
export interface IncidentsFeature extends Feature {
  context: IncidentsContext;
  /** The changes of the 24 hours before a time, newest first; at most 50. */
  changesBefore(projectId: string, atMs: number): Promise<ChangeRecord[]>;
  /**
   * Opens an incident, or the one of its rule and scope again that has just ended by itself.
   *
   * @param worse which of two figures is worse
   */
  openIncident(transaction: Transaction, incident: NewIncident, worse: (left: number, right: number) => boolean): Promise<string>;
  updateIncident(transaction: Transaction, incidentId: string, update: IncidentUpdate): Promise<void>;
  resolveIncident(transaction: Transaction, incidentId: string, resolution: IncidentResolution): Promise<void>;
  resolveIncidentsOfRule(transaction: Transaction, ruleId: string, resolution: IncidentResolution): Promise<void>;
  /**
   * Those of some incidents that are not resolved, by id.
   *
   * @param lock whether to lock their rows until the end of the transaction
   */
  unresolved(
    db: Database,
    incidentIds: readonly string[],
    options?: { lock: boolean },
  ): Promise<ReadonlyMap<string, UnresolvedIncident>>;
  /** Errors: `not_found`. */
  incidentOf(projectId: string, incidentId: string): Promise<Incident>;
  /** See {@link listIncidents}. */
  listIncidents(projectId: string, query: ListIncidentsQuery): Promise<IncidentPage>;
  /** Whether a project has an incident of type `ingest-stopped` that is not resolved. @param db any handle, or a transaction */
  ingestStopped(db: Database, projectId: string): Promise<boolean>;
}

/** Opens the feature: incidents, which alert rules open and people acknowledge and resolve. */
export function open({ postgres, clock }: Pick<Platform, 'postgres' | 'clock'>, ports: IncidentsPorts): IncidentsFeature {
  const context: IncidentsContext = { ...ports, db: postgres.db, clock };
  return {
    context,
    changesBefore: (projectId, atMs) => ports.changesBetween(projectId, atMs - dayMs, atMs, maxChanges),
    openIncident: async (transaction, incident, worse) =>
      (await reopenIncident(ports, transaction, incident, worse)) ?? openIncident(ports, transaction, incident),
    updateIncident: (transaction, id, update) => updateIncident(ports, transaction, id, update),
    resolveIncident: async (transaction, id, resolution) => {
      await resolveIncidents(ports, transaction, [id], resolution);
    },
    resolveIncidentsOfRule: (transaction, ruleId, resolution) => resolveIncidentsOfRule(ports, transaction, ruleId, resolution),
    unresolved: (db, ids, options) => unresolved(db, ids, options?.lock ?? false),
    ingestStopped: (db, projectId) => ingestStopped(db, projectId),
    incidentOf: (projectId, incidentId) => getIncident(context.db, projectId, incidentId),
    listIncidents: (projectId, query) => listIncidents(context.db, projectId, query),
    routes: (server) => incidentRoutes(server, context),
  };
}

async function unresolved(
  db: Database,
  incidentIds: readonly string[],
  lock: boolean,
): Promise<ReadonlyMap<string, UnresolvedIncident>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('incidents')
    .select(['id', 'opened_at', 'peak_value', 'sample_trace_ids'])
    .where('id', 'in', incidentIds)
    .where('status', '<>', 'resolved')
    .orderBy('id')
    .$if(lock, (select) => select.forUpdate())
    .execute();
  return new Map(
    rows.map(({ id, opened_at: openedAt, peak_value: peakValue, sample_trace_ids: traces }) => [
      id,
      { openedAt, peakValue, samples: traces.length },
    ]),
  );
}

async function ingestStopped(db: Database, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('incidents')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '<>', 'resolved')
    .where('type', '=', 'ingest-stopped')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
