import type { DeliveryJob } from './delivery-jobs.ts';
import type { NotificationsContext } from './notifications-context.ts';

const disabled =
  "The receiver answered 410 to another delivery, which disabled the channel; save the rule's channels to enable it, then send this one again.";

/** Disables a webhook whose receiver wants no more deliveries, and ends its waiting ones. May be repeated. */
export async function disableChannel(
  { db, clock }: Pick<NotificationsContext, 'db' | 'clock'>,
  { channel_id: channelId, url }: Pick<DeliveryJob['payload'], 'channel_id' | 'url'>,
): Promise<void> {
  const now = new Date(clock.now());
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('notification_channels')
      .set({ disabled_at: now })
      .where('id', '=', channelId ?? '')
      .where('url', '=', url)
      .where('disabled_at', 'is', null)
      .execute();
    await transaction
      .updateTable('notification_deliveries')
      .set({ status: 'failed', error: disabled, finished_at: now })
      .where('channel_id', '=', channelId ?? '')
      .where('status', '=', 'queued')
      .execute();
  });
}
