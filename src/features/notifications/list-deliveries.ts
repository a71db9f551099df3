import type { Delivery, DeliveryPage, ListDeliveriesQuery } from '../../contract/notifications.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { readAttempts } from './attempts.ts';
import { addressesOf } from './channels-of.ts';
import type { NotificationsContext } from './notifications-context.ts';
import type { NotificationTables } from './tables.ts';

const newestFirst = byCreation('desc', { createdAt: 'delivery.created_at', id: 'delivery.id' });

type Row = NotificationTables['notification_deliveries'] &
  Pick<NotificationTables['notification_messages'], 'type' | 'incident_id'>;

/** The deliveries of a rule, newest first (docs/semantics.md, "Notifications"). */
export async function listDeliveries(
  { db }: Pick<NotificationsContext, 'db'>,
  projectId: string,
  ruleId: string,
  query: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const select = db
    .selectFrom('notification_deliveries as delivery')
    .innerJoin('notification_messages as message', 'message.id', 'delivery.message_id')
    .selectAll('delivery')
    .select(['message.type', 'message.incident_id'])
    .where('delivery.project_id', '=', projectId)
    .where('delivery.rule_id', '=', ruleId);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  return { deliveries: rows.map(recordOf), nextCursor };
}

function recordOf(row: Row): Delivery {
  const status = row.status === 'queued' || row.status === 'running' ? 'pending' : row.status;
  return {
    id: row.id,
    channel:
      row.url === null
        ? { id: row.channel_id, type: 'email', to: addressesOf(row) }
        : { id: row.channel_id, type: 'webhook', url: row.url },
    type: row.type,
    incidentId: row.incident_id,
    status,
    attempts: attemptsOf(row),
    nextAttemptAt: status === 'pending' ? row.run_at.toISOString() : null,
    createdAt: row.created_at.toISOString(),
  };
}

/** A delivery that ended without an attempt (its channel was disabled, or the service ended during the last one) has an entry that says so. */
function attemptsOf({ status, history, error, finished_at: finishedAt }: Row): Delivery['attempts'] {
  const attempts = readAttempts(history);
  if (status !== 'failed' || error === null || finishedAt === null || attempts.at(-1)?.error === error) return attempts;
  return [...attempts, { at: finishedAt.toISOString(), statusCode: null, error }];
}
