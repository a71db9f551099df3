import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { CheckedChannels } from './check-channels.ts';
import type { ChannelBody, ChannelRecord } from '../../contract/notifications.ts';
import { addressesOf, readChannels, recordOf } from './channels-of.ts';
import type { NotificationsContext } from './notifications-context.ts';
import type { ChannelRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const secretBytes = 32;

/**
 * Replaces the channels of a rule. A channel that the rule has already (a webhook with the same URL, email to the same addresses) keeps its id, and
 * without a secret in the body its secret. Every channel is enabled (docs/semantics.md, "Notifications").
 *
 * @param transaction the caller's
 * @returns the records in the order given, with the secrets that this call set
 */
export async function setChannels(
  { clock, box }: Pick<NotificationsContext, 'clock' | 'box'>,
  transaction: Transaction,
  projectId: string,
  ruleId: string,
  { channels, privateUrls }: CheckedChannels,
): Promise<ChannelRecord[]> {
  const stored = await readChannels(transaction, [ruleId]);
  const saved = channels.map((body, position) => {
    const place = stored.findIndex((row) => isSame(row, body));
    const [before] = place === -1 ? [] : stored.splice(place, 1);
    const id = before?.id ?? uuidv7();
    const kept = body.type === 'webhook' && body.secret === undefined ? before?.sealed_secret : undefined;
    const secret = body.type === 'webhook' && !kept ? (body.secret ?? makeSecret()) : null;
    const row: ChannelRow = {
      id,
      project_id: projectId,
      rule_id: ruleId,
      position,
      type: body.type,
      url: body.type === 'webhook' ? body.url : null,
      sealed_secret: secret === null ? (kept ?? null) : box.seal(secret, id),
      addresses: body.type === 'email' ? JSON.stringify(body.to) : null,
      // One that an owner or admin saved stays so while its URL stays.
      reaches_private: body.type === 'webhook' && (privateUrls.has(body.url) || before?.reaches_private === true),
      disabled_at: null,
      created_at: before?.created_at ?? new Date(clock.now()),
    };
    return { row, secret };
  });
  await deleteChannels(transaction, ruleId);
  if (saved.length > 0)
    await insert(
      transaction,
      saved.map(({ row }) => row),
    );
  return saved.map(({ row, secret }) => {
    const record = recordOf(row);
    return record.type === 'webhook' && secret !== null ? { ...record, secret } : record;
  });
}

/** Deletes the channels of a rule. Deliveries keep their copy. */
export async function deleteChannels(transaction: Transaction, ruleId: string): Promise<void> {
  await sql`DELETE FROM notification_channels WHERE rule_id = ${ruleId}::uuid`.execute(transaction);
}

function isSame(row: ChannelRow, body: ChannelBody): boolean {
  if (body.type === 'webhook') return row.url === body.url;
  const addresses = addressesOf(row);
  return row.type === 'email' && addresses.length === body.to.length && addresses.every((one, place) => one === body.to[place]);
}

function makeSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

async function insert(transaction: Transaction, rows: readonly ChannelRow[]): Promise<void> {
  const values = rows.map(
    (row) => sql`(${row.id}::uuid, ${row.project_id}::uuid, ${row.rule_id}::uuid, ${row.position}::int, ${row.type}, ${row.url},
      ${row.sealed_secret}, ${row.addresses}, ${row.reaches_private}, ${row.created_at.toISOString()}::timestamptz)`,
  );
  await sql`INSERT INTO notification_channels (id, project_id, rule_id, position, type, url, sealed_secret, addresses, reaches_private, created_at)
    VALUES ${sql.join(values)}`.execute(transaction);
}
