import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import { makeApiKey } from '../../contract/api-key.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit } from '../audit/index.ts';
import { apiKeyColumns, apiKeyRecord, apiKeyRecords, grantOf, inOrder } from './api-key-record.ts';
import type { ApiKeyRecord } from './api-key-record.ts';
import { futureExpiry } from './future-expiry.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { mostApiKeysOfProject, requireFewer } from './require-fewer.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc');

/** Characters of a key that are shown, to tell keys apart. */
export const shownPrefix = 10;
/** Default validity of the old secret after a rotation (docs/semantics.md, "Project API keys"). */
const defaultGraceSeconds = 86_400;

/**
 * Creates a project API key. The secret is returned only here.
 *
 * @param input `scopes`: null or absent: everything that keys may do; `expiresAt`: null or absent: it does not expire
 *
 * Errors: `invalid_request` for an expiry in the past; `conflict` beyond the keys of a project.
 */
export async function createApiKey(
  context: IdentityContext,
  acting: Acting,
  input: { name: string; scopes?: ApiKeyScope[] | null | undefined; expiresAt?: string | null | undefined },
): Promise<ApiKeyRecord & { key: string }> {
  const key = makeApiKey();
  const now = nowOf(context);
  const scopes = inOrder(input.scopes);
  const row = {
    id: uuidv7(),
    project_id: acting.projectId,
    name: input.name,
    prefix: key.slice(0, shownPrefix),
    secret_sha256: hashSecret(key),
    previous_sha256: null,
    previous_expires_at: null,
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    scopes,
    scopes_since: scopes === null ? null : now,
    expires_at: futureExpiry(input.expiresAt, now, 'key'),
  };
  await context.db.transaction().execute(async (transaction) => {
    await requireRoom(transaction, acting.projectId, now);
    await transaction.insertInto('api_keys').values(row).execute();
    const detail = { name: row.name, prefix: row.prefix, ...grantOf(row) };
    await recordAudit(transaction, context.clock, { ...acting, kind: 'api_key.created', subject: row.id, detail });
  });
  context.keys.clear();
  return { ...apiKeyRecord(row, [], now.getTime()), key };
}

/** Errors: `conflict` when the project has as many valid keys as it may. */
export async function requireRoom(transaction: Transaction, projectId: string, now: Date): Promise<void> {
  await transaction.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute();
  const { keys } = await transaction
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('keys'))
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  requireFewer(
    keys,
    mostApiKeysOfProject,
    `A project has at most ${mostApiKeysOfProject} API keys; revoke one that is not used first.`,
  );
}

/** The keys of a project that are not revoked, oldest first. */
export async function listApiKeys(
  context: IdentityContext,
  projectId: string,
  query: ListQuery,
): Promise<{ apiKeys: ApiKeyRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('api_keys')
    .select(apiKeyColumns)
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { apiKeys: await apiKeyRecords(context.db, rows, context.clock.now()), nextCursor };
}

/**
 * Gives a key a new secret. The previous secret stays valid for `graceSeconds`; an earlier one ends at once.
 *
 * Errors: `not_found` for a key that was revoked meanwhile.
 */
export async function rotateApiKey(
  context: IdentityContext,
  acting: Acting,
  keyId: string,
  input: { graceSeconds?: number | undefined },
): Promise<{ id: string; key: string; previousSecretExpiresAt: string }> {
  const key = makeApiKey();
  const until = new Date(context.clock.now() + (input.graceSeconds ?? defaultGraceSeconds) * 1000);
  const change = {
    previous_sha256: sql<Buffer>`secret_sha256`,
    previous_expires_at: until,
    secret_sha256: hashSecret(key),
    prefix: key.slice(0, shownPrefix),
  };
  await context.db.transaction().execute(async (transaction) => {
    const rotated = await transaction
      .updateTable('api_keys')
      .set(change)
      .where('id', '=', keyId)
      .where('project_id', '=', acting.projectId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst();
    if (!rotated) throw noSuchKey();
    const detail = { name: rotated.name, prefix: change.prefix, previousSecretExpiresAt: until.toISOString() };
    await recordAudit(transaction, context.clock, { ...acting, kind: 'api_key.rotated', subject: keyId, detail });
  });
  context.keys.clear();
  return { id: keyId, key, previousSecretExpiresAt: until.toISOString() };
}

/** Revokes a key with all of its secrets. Of concurrent calls one revokes it, and one audit entry is written. */
export async function revokeApiKey(context: IdentityContext, acting: Acting, keyId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const revoked = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: nowOf(context) })
      .where('id', '=', keyId)
      .where('project_id', '=', acting.projectId)
      .where('revoked_at', 'is', null)
      .returning(['name', 'prefix'])
      .executeTakeFirst();
    if (!revoked) return;
    await recordAudit(transaction, context.clock, { ...acting, kind: 'api_key.revoked', subject: keyId, detail: revoked });
  });
  context.keys.clear();
}

/** Throws `not_found` unless the project has the key and it is not revoked. */
export async function requireApiKey(context: IdentityContext, projectId: string, keyId: string): Promise<void> {
  const row = await context.db
    .selectFrom('api_keys')
    .select('id')
    .where(sql`id::text`, '=', keyId.toLowerCase())
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw noSuchKey();
}

/** The refusal of a key that is not one of the project's. */
export function noSuchKey(): ServiceError {
  return new ServiceError('not_found', 'There is no such API key in this project; list the keys to see which there are.');
}
