import { sql } from 'kysely';
import { z } from 'zod';
import type { ChannelRecord } from '../../contract/notifications.ts';
import type { ChannelRow } from './tables.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The channels of rules, by rule, in the order in which they were saved. Rules without channels have an empty list. */
export async function channelsOf(db: Database, ruleIds: readonly string[]): Promise<ReadonlyMap<string, ChannelRecord[]>> {
  const byRule = new Map<string, ChannelRecord[]>(ruleIds.map((id) => [id, []]));
  if (ruleIds.length === 0) return byRule;
  for (const row of await readChannels(db, ruleIds)) byRule.get(row.rule_id)?.push(recordOf(row));
  return byRule;
}

/** The stored channels of rules, by rule and position. */
export async function readChannels(db: Database, ruleIds: readonly string[]): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`SELECT * FROM notification_channels
    WHERE rule_id = ANY(${ruleIds}::uuid[]) ORDER BY rule_id, position`.execute(db);
  return rows;
}

/** A channel as the API returns it, without its secret. */
export function recordOf(row: ChannelRow): ChannelRecord {
  const { id } = row;
  const disabledAt = row.disabled_at?.toISOString() ?? null;
  return row.type === 'webhook'
    ? { id, type: 'webhook', url: row.url ?? '', hasSecret: true, disabledAt }
    : { id, type: 'email', to: addressesOf(row), disabledAt };
}

const addressList = z.array(z.string());

/** The addresses of an email channel; empty for a webhook. */
export function addressesOf({ addresses }: { addresses: string | null }): string[] {
  return addresses === null ? [] : addressList.parse(JSON.parse(addresses));
}
