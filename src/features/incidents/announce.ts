import type { IncidentEventKind } from '../../contract/incidents.ts';
import type { NotificationType } from '../../contract/notifications.ts';
import { recordsOf } from './incident-record.ts';
import type { IncidentsPorts } from './incidents-context.ts';
import type { IncidentRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Writes an entry of an incident's history, in the caller's transaction. */
export async function addEvent(
  transaction: Transaction,
  incidentId: string,
  event: { at: Date; kind: IncidentEventKind; by: string | null; note?: string | null },
): Promise<void> {
  await transaction
    .insertInto('incident_events')
    .values({ incident_id: incidentId, note: null, ...event })
    .execute();
}

/** Queues a message about an incident for the channels of its rule, in the caller's transaction. */
export async function announce(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  type: NotificationType,
  row: IncidentRow,
): Promise<void> {
  const [data] = await recordsOf(transaction, [row]);
  if (!data) throw new Error('an incident has no record');
  const path = `${await ports.projectPage(transaction, row.project_id)}/incidents/${row.id}`;
  const rule = { id: row.rule_id, name: row.rule_name, type: row.type };
  await ports.notify(transaction, { projectId: row.project_id, rule, type, incidentId: row.id, data, path });
}
