import { hourMs } from '../../contract/durations.ts';
import type { ChannelBody, ChannelRecord, DeliveryPage, ListDeliveriesQuery } from '../../contract/notifications.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { QueueWorkers } from '../../platform/jobs/leased-queue/index.ts';
import { Mailer } from '../../platform/mail/index.ts';
import type { MailRecipients } from '../../platform/mail/index.ts';
import { HttpClient } from '../../platform/net/index.ts';
import type { AddressPolicy, Resolve } from '../../platform/net/index.ts';
import { channelsOf } from './channels-of.ts';
import { checkChannels } from './check-channels.ts';
import type { ChannelSaver, CheckedChannels } from './check-channels.ts';
import { deleteOldDeliveries } from './delete-old-deliveries.ts';
import { openDeliveryJobs } from './delivery-jobs.ts';
import { listDeliveries } from './list-deliveries.ts';
import type { NotificationsContext } from './notifications-context.ts';
import { notify } from './notify.ts';
import type { Notification } from './notify.ts';
import { redeliver } from './redeliver.ts';
import { ReceiverTurns } from './sending/receiver-turns.ts';
import { deliver } from './sending/deliver.ts';
import { deleteChannels, setChannels } from './set-channels.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

export interface NotificationSettings {
  /** Where webhooks may be. */
  addresses: AddressPolicy;
  /** See {@link MailSettings}; null: email channels are refused. */
  smtpUrl: string | null;
  mailFrom: string | null;
  /** Who may get mail; default anyone. */
  mailRecipients?: MailRecipients;
}

/** For tests. */
export type DeliveryOptions = Partial<Pick<NotificationsContext, 'timeoutMs' | 'turnMs' | 'maxUnfinished'>> & {
  /** 0 up to 1, excluded; the spread of retries. */
  random?: () => number;
  /** How long {@link Feature.close} waits for attempts, in milliseconds. */
  graceMs?: number;
  /** The resolver of webhooks' names. */
  resolve?: Resolve;
};

export interface NotificationsFeature extends Feature {
  /** To be called before the transaction of {@link setChannels}; see {@link checkChannels}. */
  checkChannels(saver: ChannelSaver, channels: readonly ChannelBody[]): Promise<CheckedChannels>;
  /** See {@link setChannels}. */
  setChannels(transaction: Transaction, projectId: string, ruleId: string, checked: CheckedChannels): Promise<ChannelRecord[]>;
  /** See {@link deleteChannels}. */
  deleteChannels(transaction: Transaction, ruleId: string): Promise<void>;
  /** See {@link channelsOf}. */
  channelsOf(db: Database, ruleIds: readonly string[]): Promise<ReadonlyMap<string, ChannelRecord[]>>;
  /** See {@link notify}. */
  notify(transaction: Transaction, notification: Notification): Promise<string[]>;
  /** See {@link listDeliveries}. */
  listDeliveries(projectId: string, ruleId: string, query: ListDeliveriesQuery): Promise<DeliveryPage>;
  /** See {@link redeliver}. */
  redeliver(projectId: string, ruleId: string, deliveryId: string): Promise<void>;
  /** Sends what is due at once. To be called after the commit of a transaction with {@link notify}. */
  wake(): void;
  /** Makes every attempt that is due now; for a process whose workers were not started. @returns attempts */
  runPending(): Promise<number>;
}

const timeoutMs = 15_000;
const turnMs = 1_000;
const maxUnfinished = 10_000;
const deletionEveryMs = hourMs;

/** Attempts at a time. A project has a part of them, so that receivers that hang delay its own deliveries only. */
const pools = [
  { name: 'webhook', concurrency: 64, batchSize: 1, maxOfProject: 16 },
  { name: 'email', concurrency: 8, batchSize: 1, maxOfProject: 2 },
];

/** Channels of alert rules, and deliveries to them. Connections are opened when first needed. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clock' | 'metrics' | 'log' | 'secret' | 'publicOrigin'>,
  { addresses, smtpUrl, mailFrom, mailRecipients = 'anyone' }: NotificationSettings,
  { random = Math.random, graceMs, resolve, ...options }: DeliveryOptions = {},
): NotificationsFeature {
  const { postgres, clock, metrics, log, secret, publicOrigin } = platform;
  const db = postgres.db;
  const resolving = resolve === undefined ? {} : { resolve };
  const http = new HttpClient({ addresses, ...resolving });
  const publicHttp = new HttpClient({ addresses: 'public-only', ...resolving });
  const mailer = smtpUrl === null || mailFrom === null ? null : new Mailer({ smtpUrl, from: mailFrom });
  const missing = { SPANWISE_SMTP_URL: smtpUrl, SPANWISE_MAIL_FROM: mailFrom };
  const context: NotificationsContext = {
    db,
    clock,
    box: new SecretBox({ secret, purpose: 'webhook' }),
    jobs: openDeliveryJobs({ db, clock, random, metrics: metrics.queues.of('notifications') }),
    http,
    publicHttp,
    mailRecipients,
    mailer,
    missingMailSettings: Object.entries(missing).flatMap(([name, value]) => (value === null ? [name] : [])),
    timeoutMs,
    turnMs,
    turns: new ReceiverTurns(),
    maxUnfinished,
    publicOrigin,
    counted: (channel, outcome) => metrics.notificationAttempts.inc({ channel, outcome }),
    ...options,
  };
  const workers = new QueueWorkers({
    queue: context.jobs,
    name: 'notifications',
    clock,
    pools,
    run: (claim, signal) => deliver(context, claim, signal),
    alone: postgres.mode === 'embedded',
    ...(graceMs === undefined ? {} : { graceMs }),
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'notifications' });
      log.error({ err: error }, 'a notification failed for a reason that is not its own');
    },
  });
  const deleteOld = (signal: AbortSignal) => deleteOldDeliveries(context, signal);
  return {
    checkChannels: (saver, channels) => checkChannels(context, saver, channels),
    setChannels: (transaction, projectId, ruleId, checked) => setChannels(context, transaction, projectId, ruleId, checked),
    deleteChannels,
    channelsOf,
    notify: (transaction, notification) => notify(context, transaction, notification),
    listDeliveries: (projectId, ruleId, query) => listDeliveries(context, projectId, ruleId, query),
    redeliver: async (projectId, ruleId, deliveryId) => {
      await redeliver(context, projectId, ruleId, deliveryId);
      workers.wake();
    },
    wake: () => workers.wake(),
    runPending: () => workers.runPending(),
    jobs: [{ name: 'old-deliveries', everyMs: deletionEveryMs, changes: ['postgres'], run: deleteOld }],
    startWorkers: () => workers.start(),
    close: async () => {
      await workers.stop();
      await mailer?.close();
      await http.close();
      await publicHttp.close();
    },
  };
}
