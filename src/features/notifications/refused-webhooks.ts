import type { Database } from '../../platform/postgres/index.ts';
import { refusedUrls } from '../../platform/net/index.ts';
import type { NotificationTables } from './tables.ts';

/**
 * The webhooks of all projects with an address that requests may not reach, one sentence each (docs/semantics.md, "Outgoing addresses"). For the
 * operator.
 */
export async function refusedWebhooks(db: Database, allowed: readonly string[]): Promise<string[]> {
  const rows = await db
    .withTables<Pick<NotificationTables, 'notification_channels'>>()
    .selectFrom('notification_channels')
    .select(['project_id', 'rule_id', 'url'])
    .where('type', '=', 'webhook')
    .orderBy('project_id')
    .orderBy('rule_id')
    .orderBy('position')
    .execute();
  return refusedUrls(
    allowed,
    rows.map((row) => ({ name: `a webhook of the alert rule ${row.rule_id} of project ${row.project_id}`, url: row.url ?? '' })),
  );
}
