import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AlertType } from '../../contract/alerts.ts';
import type { NotificationType } from '../../contract/notifications.ts';
import { readChannels } from './channels-of.ts';
import { messageBody } from './message-body.ts';
import type { NotificationsContext } from './notifications-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** The rule of a message. */
export interface NotifiedRule {
  id: string;
  name: string;
  type: AlertType;
}

export interface Notification {
  projectId: string;
  rule: NotifiedRule;
  type: NotificationType;
  incidentId: string | null;
  /** The record of the incident or finding; rule, project and URL are added. */
  data: Readonly<Record<string, unknown>>;
  /** Of the page in the dashboard, below the public origin, for example `/p/<id>`. */
  path: string;
}

/**
 * Queues one delivery for every channel of a rule that is not disabled; a message of type `test` goes to disabled ones too (docs/semantics.md,
 * "Notifications").
 *
 * @param transaction the caller's: the deliveries are durable when it commits
 * @returns the ids of the deliveries; those beyond the project's limit are refused and counted
 */
export async function notify(
  { clock, jobs, maxUnfinished, publicOrigin }: NotificationsContext,
  transaction: Transaction,
  { projectId, rule, type, incidentId, data, path }: Notification,
): Promise<string[]> {
  const saved = await readChannels(transaction, [rule.id]);
  const channels = saved.filter(({ disabled_at: disabledAt }) => type === 'test' || disabledAt === null);
  if (channels.length === 0) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM projects WHERE id = ${projectId}::uuid`.execute(transaction);
  const name = rows[0]?.name;
  if (name === undefined) return [];
  const at = new Date(clock.now()).toISOString();
  const { id: ruleId, name: ruleName, type: ruleType } = rule;
  const body = messageBody(type, at, {
    ...data,
    rule: { id: ruleId, name: ruleName, type: ruleType },
    project: { id: projectId, name },
    url: new URL(path, publicOrigin()).href,
  });
  const messageId = uuidv7();
  await sql`INSERT INTO notification_messages (id, project_id, type, incident_id, body, created_at)
    VALUES (${messageId}::uuid, ${projectId}::uuid, ${type}, ${incidentId}::uuid, ${body}, ${at}::timestamptz)`.execute(
    transaction,
  );
  const queued = channels.map((channel) => ({
    id: uuidv7(),
    pool: channel.type,
    payload: {
      rule_id: ruleId,
      message_id: messageId,
      channel_id: channel.id,
      url: channel.url,
      sealed_secret: channel.sealed_secret,
      addresses: channel.addresses,
      reaches_private: channel.reaches_private,
      history: '[]',
    },
  }));
  const refused = await jobs.enqueue(transaction, projectId, queued, { limit: maxUnfinished });
  return queued.slice(0, queued.length - refused).map(({ id }) => id);
}
