import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import { makeApiKey } from '../../contract/api-key.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAudit } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { mostApiKeysOfProject, requireFewer } from './require-fewer.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc');

export interface ApiKeyRecord {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  previousSecretExpiresAt: string | null;
}

/** Characters of a key that are shown, to tell keys apart. */
export const shownPrefix = 10;
/** Default validity of the old secret after a rotation (docs/semantics.md, "Project API keys"). */
const defaultGraceSeconds = 86_400;

/** Creates a project API key. The secret is returned only here. Errors: `conflict` beyond the keys of a project. */
export async function createApiKey(
  context: IdentityContext,
  acting: Acting,
  input: { name: string },
): Promise<ApiKeyRecord & { key: string }> {
  const key = makeApiKey();
  const row = {
    id: uuidv7(),
    project_id: acting.projectId,
    name: input.name,
    prefix: key.slice(0, shownPrefix),
    secret_sha256: hashSecret(key),
    previous_sha256: null,
    previous_expires_at: null,
    created_at: nowOf(context),
    last_used_at: null,
    revoked_at: null,
  };
  await context.db.transaction().execute(async (transaction) => {
    await requireRoom(transaction, acting.projectId);
    await transaction.insertInto('api_keys').values(row).execute();
    const detail = { name: row.name, prefix: row.prefix };
    await recordAudit(transaction, context.clock, { ...acting, kind: 'api_key.created', subject: row.id, detail });
  });
  context.keys.clear();
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: null,
    previousSecretExpiresAt: null,
    key,
  };
}

async function requireRoom(transaction: Transaction, projectId: string): Promise<void> {
  await transaction.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute();
  const { keys } = await transaction
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('keys'))
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
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
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at', 'previous_expires_at'])
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const now = context.clock.now();
  const records = rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    previousSecretExpiresAt:
      row.previous_expires_at && row.previous_expires_at.getTime() > now ? row.previous_expires_at.toISOString() : null,
  }));
  return { apiKeys: records, nextCursor };
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

function noSuchKey(): ServiceError {
  return new ServiceError('not_found', 'There is no such API key in this project; list the keys to see which there are.');
}
