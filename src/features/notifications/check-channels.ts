import { ServiceError } from '../../contract/errors.ts';
import type { ChannelBody } from '../../contract/notifications.ts';
import { checkAddress } from '../../platform/net/index.ts';
import type { NotificationsContext } from './notifications-context.ts';

/**
 * Checks channels before they are saved: email needs the settings for mail, and a webhook an address that requests may reach (docs/semantics.md,
 * "Outgoing addresses").
 *
 * Errors: `invalid_request` with details at `/channels/<position>`.
 */
export async function checkChannels(
  { http, missingMailSettings }: Pick<NotificationsContext, 'http' | 'missingMailSettings'>,
  channels: readonly ChannelBody[],
): Promise<void> {
  const email = channels.findIndex(({ type }) => type === 'email');
  if (email !== -1 && missingMailSettings.length > 0) {
    const settings = missingMailSettings.join(' and ');
    throw new ServiceError(
      'invalid_request',
      `Email channels need the setting ${settings}; let the operator of the service set it, or use a webhook.`,
      { details: [{ path: `/channels/${email}/type`, message: `needs the setting ${settings}` }] },
    );
  }
  await Promise.all(
    channels.map((channel, place) =>
      channel.type === 'webhook' ? checkAddress(http, channel.url, `/channels/${place}/url`) : undefined,
    ),
  );
}
