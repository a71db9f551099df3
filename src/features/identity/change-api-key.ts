import type { Acting } from '../../contract/actor.ts';
import type { ApiKeyChange } from '../../contract/identity.ts';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import { recordAudit } from '../audit/index.ts';
import { apiKeyColumns, apiKeyRecords, inOrder } from './api-key-record.ts';
import type { ApiKeyRecord } from './api-key-record.ts';
import { noSuchKey, requireRoom } from './api-keys.ts';
import { futureExpiry } from './future-expiry.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';

/**
 * Changes the name, the scopes and the expiry of a key, with both of its secrets: at once on this replica, on others as soon as they look it up again.
 *
 * Errors: `invalid_request` for an expiry in the past; `not_found` for a key that was revoked meanwhile; `conflict` when an expired key would be valid again beyond
 * the keys of a project.
 */
export async function changeApiKey(
  context: IdentityContext,
  acting: Acting,
  keyId: string,
  change: ApiKeyChange,
): Promise<ApiKeyRecord> {
  const now = nowOf(context);
  const given = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.scopes === undefined ? {} : { scopes: inOrder(change.scopes) }),
    ...(change.expiresAt === undefined ? {} : { expires_at: futureExpiry(change.expiresAt, now, 'key') }),
  };
  const record = await context.db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('api_keys')
      .select(apiKeyColumns)
      .where('id', '=', keyId)
      .where('project_id', '=', acting.projectId)
      .where('revoked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noSuchKey();
    const isExpired = before.expires_at !== null && before.expires_at <= now;
    if (isExpired && given.expires_at !== undefined) await requireRoom(transaction, acting.projectId, now);
    const after = { ...before, ...given };
    if (hasMore(before.scopes, after.scopes)) after.scopes_since = now;
    const changed = [
      ...(after.name === before.name ? [] : ['name']),
      ...(String(after.scopes) === String(before.scopes) ? [] : ['scopes']),
      ...(after.expires_at?.getTime() === before.expires_at?.getTime() ? [] : ['expiresAt']),
    ];
    if (changed.length > 0) {
      const { name, scopes, scopes_since, expires_at } = after;
      await transaction.updateTable('api_keys').set({ name, scopes, scopes_since, expires_at }).where('id', '=', keyId).execute();
      const detail = { name, prefix: after.prefix, scopes, expiresAt: expires_at?.toISOString() ?? null, changed };
      await recordAudit(transaction, context.clock, { ...acting, kind: 'api_key.updated', subject: keyId, detail });
    }
    return apiKeyRecords(transaction, [after], now.getTime());
  });
  context.keys.clear();
  const [changedRecord] = record;
  if (!changedRecord) throw new Error('a key has a record');
  return changedRecord;
}

/** Whether a key has a scope that it had not named before. */
function hasMore(before: readonly ApiKeyScope[] | null, after: readonly ApiKeyScope[] | null): boolean {
  return after !== null && after.some((scope) => !before?.includes(scope));
}
