import { ServiceError } from '../../contract/errors.ts';
import type { ChannelBody } from '../../contract/notifications.ts';
import { checkAddress, reachOf } from '../../platform/net/index.ts';
import { readChannels } from './channels-of.ts';
import type { NotificationsContext } from './notifications-context.ts';
import { refusedRecipients } from './recipients.ts';

/** Who saves channels, and where. */
export interface ChannelSaver {
  projectId: string;
  /** null: a rule that does not exist yet. */
  ruleId: string | null;
  /** Whether it is an owner or admin, who alone may name addresses beyond the public internet. */
  administers: boolean;
}

/** Channels that may be saved. */
export interface CheckedChannels {
  channels: readonly ChannelBody[];
  /** URLs of webhooks that may reach what the operator allows beside public addresses. */
  privateUrls: ReadonlySet<string>;
}

type Checking = Pick<NotificationsContext, 'db' | 'http' | 'publicHttp' | 'missingMailSettings' | 'mailRecipients'>;

/**
 * Checks channels before they are saved: email needs the settings for mail and addresses that may get it, and a webhook an address that requests may reach
 * (docs/semantics.md, "Outgoing addresses", "Notifications").
 *
 * Errors: `invalid_request` with details at `/channels/<position>`; `forbidden` for a private address of who neither owns nor administers.
 */
export async function checkChannels(
  context: Checking,
  saver: ChannelSaver,
  channels: readonly ChannelBody[],
): Promise<CheckedChannels> {
  refuseWithoutMail(context, channels);
  await refuseRecipients(context, saver.projectId, channels);
  const privateUrls = new Set<string>();
  const kept = saver.administers ? new Set() : await keptUrls(context, saver);
  await Promise.all(
    channels.map(async (channel, place) => {
      if (channel.type !== 'webhook') return;
      const { url } = channel;
      await checkAddress(context.http, url, `/channels/${place}/url`);
      const reach = await reachOf(context.publicHttp, url);
      if (saver.administers && reach !== 'public') privateUrls.add(url);
      else if (reach === 'private' && !kept.has(url)) throw notAdministrator(url);
    }),
  );
  return { channels, privateUrls };
}

/** The private URLs that the rule has already: saving them again unchanged names no new address. */
async function keptUrls({ db }: Checking, { ruleId }: ChannelSaver): Promise<ReadonlySet<unknown>> {
  const stored = ruleId === null ? [] : await readChannels(db, [ruleId]);
  return new Set(stored.filter((row) => row.reaches_private).map(({ url }) => url));
}

function notAdministrator(url: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `${new URL(url).host} is not an address of the public internet; ask an owner or admin of the organization to save a webhook there.`,
  );
}

function refuseWithoutMail({ missingMailSettings }: Checking, channels: readonly ChannelBody[]): void {
  const email = channels.findIndex(({ type }) => type === 'email');
  if (email === -1 || missingMailSettings.length === 0) return;
  const settings = missingMailSettings.join(' and ');
  throw new ServiceError(
    'invalid_request',
    `Email channels need the setting ${settings}; let the operator of the service set it, or use a webhook.`,
    { details: [{ path: `/channels/${email}/type`, message: `needs the setting ${settings}` }] },
  );
}

async function refuseRecipients(context: Checking, projectId: string, channels: readonly ChannelBody[]): Promise<void> {
  const all = channels.flatMap((channel) => (channel.type === 'email' ? channel.to : []));
  const refused = new Set(await refusedRecipients(context, projectId, all));
  if (refused.size === 0) return;
  const details = channels.flatMap((channel, place) =>
    channel.type !== 'email'
      ? []
      : channel.to.flatMap((address, at) =>
          refused.has(address) ? [{ path: `/channels/${place}/to/${at}`, message: 'may not get mail of this service' }] : [],
        ),
  );
  const who =
    context.mailRecipients === 'members'
      ? 'members of the organization alone'
      : `addresses of ${[context.mailRecipients].flat().join(', ')} alone`;
  throw new ServiceError(
    'invalid_request',
    `The operator lets mail go to ${who} (SPANWISE_MAIL_RECIPIENTS); leave the other addresses out.`,
    { details },
  );
}
