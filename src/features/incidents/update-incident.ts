import { sql } from 'kysely';
import { addEvent, announce } from './announce.ts';
import type { IncidentsPorts } from './incidents-context.ts';
import { maxSampleTraces } from './open-incident.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Repetitions of the notification that an incident's history keeps; older ones are deleted. */
const maxRepetitions = 100;

export interface IncidentUpdate {
  at: Date;
  /** null: without enough data; the figure stays. */
  value: number | null;
  /** Further traces, the worst first; they come before those that it has. */
  sampleTraceIds: readonly string[];
  /** Which of two figures is worse. */
  worse(left: number, right: number): boolean;
  /** Minutes after which the opening is announced again while the incident is open; null: never. */
  renotifyMinutes: number | null;
}

/**
 * Notes the latest figure of an incident that is not resolved, and repeats its notification when that is due (docs/semantics.md, "Incidents"). In the
 * caller's transaction.
 */
export async function updateIncident(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  incidentId: string,
  { at, value, worse, renotifyMinutes, sampleTraceIds }: IncidentUpdate,
): Promise<void> {
  const row = await transaction.selectFrom('incidents').selectAll().where('id', '=', incidentId).executeTakeFirstOrThrow();
  const peak = value !== null && (row.peak_value === null || worse(value, row.peak_value)) ? value : row.peak_value;
  // A clock that went back would keep an incident silent for as long as it went back.
  const sinceMs = Math.abs(at.getTime() - row.notified_at.getTime());
  const due = renotifyMinutes !== null && row.status === 'open' && sinceMs >= renotifyMinutes * 60_000;
  const latest = value ?? row.value;
  const samples = [...new Set([...sampleTraceIds, ...row.sample_trace_ids])].slice(0, maxSampleTraces);
  const isAsBefore = samples.join() === row.sample_trace_ids.join();
  if (row.value === latest && row.peak_value === peak && isAsBefore && !due) return;
  const updated = await transaction
    .updateTable('incidents')
    .set({ value: latest, peak_value: peak, sample_trace_ids: samples, ...(due ? { notified_at: at } : {}) })
    .where('id', '=', incidentId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!due) return;
  await addEvent(transaction, incidentId, { at, kind: 'notified', by: 'system' });
  await sql`DELETE FROM incident_events WHERE id IN (
    SELECT id FROM incident_events WHERE incident_id = ${incidentId} AND kind = 'notified' ORDER BY id DESC OFFSET ${maxRepetitions}
  )`.execute(transaction);
  await announce(ports, transaction, 'incident.opened', updated);
}
