import { pino } from 'pino';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import type { ChannelBody, ChannelRecord, Delivery } from '../../contract/notifications.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { Metrics } from '../../platform/metrics/metrics.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { CheckedChannels } from './check-channels.ts';
import type { Notification, NotificationsFeature } from './index.ts';
import { open } from './open.ts';
import type { DeliveryOptions, NotificationSettings } from './open.ts';

export const nowMs = Date.UTC(2026, 10, 22, 10);
export const projectA = '0197a000-0000-7000-8000-00000000000a';
export const projectB = '0197a000-0000-7000-8000-00000000000b';
export const ruleId = '0197c000-0000-7000-8000-000000000001';
export const incidentId = '0197d000-0000-7000-8000-000000000001';
const organization = '0197b000-0000-7000-8000-000000000001';

export interface NotificationsService {
  postgres: Postgres;
  clock: ManualClock;
  metrics: Metrics;
  /** One process. */
  feature: NotificationsFeature;
  /** Opens the feature once more on the same database, as a second process does. */
  process(options?: DeliveryOptions & Partial<NotificationSettings>): NotificationsFeature;
  save(channels: readonly ChannelBody[], projectId?: string, rule?: string): Promise<ChannelRecord[]>;
  /** @returns the ids of the deliveries */
  notify(given?: Partial<Notification>): Promise<string[]>;
  deliveries(projectId?: string, rule?: string): Promise<Delivery[]>;
  /** Makes every due attempt, once the clock has moved by `ms`. */
  after(ms: number): Promise<void>;
  /** What the processes reported as failures of their own. */
  faults: string[];
  /** Deletes channels and deliveries. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** What an owner or admin may save. */
export const asAdministrator = (channels: readonly ChannelBody[]): CheckedChannels => ({
  channels,
  privateUrls: new Set(channels.flatMap((channel) => (channel.type === 'webhook' ? [channel.url] : []))),
});

/** The feature on a PostgreSQL of its own, with two projects. Waits have no spread. */
export async function openNotificationsService(
  options: DeliveryOptions & Partial<NotificationSettings> = {},
): Promise<NotificationsService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const metrics = new Metrics();
  const faults: string[] = [];
  await addProjects(postgres);
  const opened: NotificationsFeature[] = [];
  const process: NotificationsService['process'] = (more = {}) => {
    const {
      addresses = { allowed: ['127.0.0.0/8'] },
      smtpUrl = null,
      mailFrom = null,
      mailRecipients = 'anyone',
      ...rest
    } = { ...options, ...more };
    const log = pino({ level: 'error' }, { write: (text: string) => void faults.push(text) });
    const platform = {
      postgres,
      clock,
      metrics,
      log,
      secret: 'ab'.repeat(32),
      publicOrigin: () => 'https://spanwise.example.com',
    };
    const feature = open(platform, { addresses, smtpUrl, mailFrom, mailRecipients }, { random: () => 0.5, ...rest });
    opened.push(feature);
    return feature;
  };
  const feature = process();
  const { db } = postgres;
  return {
    postgres,
    clock,
    metrics,
    feature,
    process,
    faults,
    save: (channels, projectId = projectA, rule = ruleId) =>
      db.transaction().execute((transaction) => feature.setChannels(transaction, projectId, rule, asAdministrator(channels))),
    notify: (given = {}) => db.transaction().execute((transaction) => feature.notify(transaction, { ...opening, ...given })),
    deliveries: async (projectId = projectA, rule = ruleId) =>
      (await feature.listDeliveries(projectId, rule, { limit: 100 })).deliveries,
    after: async (ms) => {
      clock.advance(ms);
      await feature.runPending();
    },
    clear: async () => {
      const tables = db.withTables<{ notification_messages: object; notification_channels: object; mail_recipients: object }>();
      await tables.deleteFrom('notification_messages').execute();
      await tables.deleteFrom('notification_channels').execute();
      await tables.deleteFrom('mail_recipients').execute();
      faults.length = 0;
      clock.set(nowMs);
    },
    close: async () => {
      for (const one of opened) await one.close?.();
      await close();
    },
  };
}

/** The opening of an incident in project A. */
export const opening: Notification = {
  projectId: projectA,
  rule: { id: ruleId, name: 'Errors', type: 'error-rate' },
  type: 'incident.opened',
  incidentId,
  data: { id: incidentId, summary: 'Error rate 0.4 over 0.1', value: 0.4, sampleTraceIds: ['t1', 't2'] },
  path: `/projects/${projectA}/incidents/${incidentId}`,
};

async function addProjects({ db }: Postgres): Promise<void> {
  const at = new Date(nowMs);
  const tables = db.withTables<{
    organizations: { id: string; slug: string; name: string; plan: string; created_at: Date };
    projects: { id: string; organization_id: string; name: string; slug: string; created_at: Date };
  }>();
  await tables
    .insertInto('organizations')
    .values({ id: organization, slug: 'acme', name: 'Acme', plan: 'scale', created_at: at })
    .execute();
  const project = (id: string, slug: string) => ({
    id,
    organization_id: organization,
    name: `Project ${slug}`,
    slug,
    created_at: at,
  });
  await tables
    .insertInto('projects')
    .values([project(projectA, 'a'), project(projectB, 'b')])
    .execute();
}
