import type { Database } from '../../platform/postgres/index.ts';
import { refusedUrls } from '../../platform/net/index.ts';
import type { AddressPolicy } from '../../platform/net/index.ts';

/**
 * The webhooks of all projects with an address that requests may not reach, one sentence each (docs/semantics.md, "Outgoing addresses"). For the
 * operator.
 */
export async function refusedWebhooks(db: Database, addresses: AddressPolicy): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_channels')
    .select(['project_id', 'rule_id', 'url'])
    .where('type', '=', 'webhook')
    .orderBy('project_id')
    .orderBy('rule_id')
    .orderBy('position')
    .execute();
  return refusedUrls(
    addresses,
    rows.map((row) => ({ name: `a webhook of the alert rule ${row.rule_id} of project ${row.project_id}`, url: row.url ?? '' })),
  );
}
