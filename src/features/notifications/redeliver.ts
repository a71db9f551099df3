import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { NotificationsContext } from './notifications-context.ts';

/**
 * Sends a delivery again, now and from its first attempt, with the same webhook-id and to the channel as it was (docs/semantics.md,
 * "Notifications"). A delivery that is being sent at the moment is left alone.
 *
 * Errors: `not_found`.
 */
export async function redeliver(
  { db, clock }: Pick<NotificationsContext, 'db' | 'clock'>,
  projectId: string,
  ruleId: string,
  deliveryId: string,
): Promise<void> {
  const row = await db
    .selectFrom('notification_deliveries')
    .select('id')
    .where('id', '=', uuidOrNull(deliveryId))
    .where('project_id', '=', projectId)
    .where('rule_id', '=', ruleId)
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'There is no such delivery of this rule; list them to see which there are.');
  await db
    .updateTable('notification_deliveries')
    .set({ status: 'queued', attempts: 0, run_at: new Date(clock.now()), error: null, finished_at: null })
    .where('id', '=', row.id)
    .where('status', '<>', 'running')
    .execute();
}
