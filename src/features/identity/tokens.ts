import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { randomBase62 } from '../../contract/api-key.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import { decodeCursor, pageOf } from '../../contract/page.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { nowOf } from './context.ts';
import type { IdentityContext } from './context.ts';

export interface TokenRecord {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Makes a personal access token, which acts as its user; the secret is returned this once. */
export async function createToken(
  context: IdentityContext,
  userId: string,
  input: { name: string },
): Promise<TokenRecord & { token: string }> {
  const token = `spwu_${randomBase62(40)}`;
  const row = {
    id: uuidv7(),
    user_id: userId,
    name: input.name,
    prefix: token.slice(0, 11),
    secret_sha256: hashSecret(token),
    created_at: nowOf(context),
    last_used_at: null,
  };
  await context.db.insertInto('personal_tokens').values(row).execute();
  return { id: row.id, name: row.name, prefix: row.prefix, createdAt: row.created_at.toISOString(), lastUsedAt: null, token };
}

/** A user's tokens, oldest first. */
export async function listTokens(
  context: IdentityContext,
  userId: string,
  query: ListQuery,
): Promise<{ tokens: TokenRecord[]; nextCursor: string | null }> {
  const after = decodeCursor(query.cursor);
  let select = context.db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId);
  if (after) select = select.where(sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('created_at')
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const records = rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
  const { items, nextCursor } = pageOf(records, query.limit);
  return { tokens: items, nextCursor };
}

/** Deletes one of a user's tokens. Throws `not_found` when the user has no such token. */
export async function deleteToken(context: IdentityContext, userId: string, tokenId: string): Promise<void> {
  const deleted = await context.db
    .deleteFrom('personal_tokens')
    .where(sql`id::text`, '=', tokenId.toLowerCase())
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  if (deleted.length === 0)
    throw new ServiceError('not_found', 'You have no such token; list your tokens to see which there are.');
}
