import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { randomBase62 } from '../../contract/api-key.ts';
import type { UserActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAuditInEach } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import type { IdentityTables } from './tables.ts';

const oldestFirst = byCreation('asc');

export interface TokenRecord {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Creates a personal access token, which acts as its user. The secret is returned only here. */
export async function createToken(
  context: IdentityContext,
  user: UserActor,
  input: { name: string },
): Promise<TokenRecord & { token: string }> {
  const token = `spwu_${randomBase62(40)}`;
  const row = {
    id: uuidv7(),
    user_id: user.id,
    name: input.name,
    prefix: token.slice(0, 11),
    secret_sha256: hashSecret(token),
    created_at: nowOf(context),
    last_used_at: null,
  };
  await context.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('personal_tokens').values(row).execute();
    await recordToken(transaction, context, 'token.created', user, row);
  });
  return { id: row.id, name: row.name, prefix: row.prefix, createdAt: row.created_at.toISOString(), lastUsedAt: null, token };
}

/** A user's tokens, oldest first. */
export async function listTokens(
  context: IdentityContext,
  userId: string,
  query: ListQuery,
): Promise<{ tokens: TokenRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const records = rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
  return { tokens: records, nextCursor };
}

/** Revokes one of a user's tokens. Throws `not_found` when the user has no such token. */
export async function revokeToken(context: IdentityContext, user: UserActor, tokenId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const revoked = await transaction
      .deleteFrom('personal_tokens')
      .where(sql`id::text`, '=', tokenId.toLowerCase())
      .where('user_id', '=', user.id)
      .returning(['id', 'name', 'prefix'])
      .executeTakeFirst();
    if (!revoked) throw new ServiceError('not_found', 'You have no such token; list your tokens to see which there are.');
    await recordToken(transaction, context, 'token.revoked', user, revoked);
  });
}

/** Recorded in every organization of the user, since the token is valid in all of them. */
async function recordToken(
  transaction: Transaction<IdentityTables>,
  { clock }: IdentityContext,
  kind: 'token.created' | 'token.revoked',
  user: UserActor,
  { id, name, prefix }: { id: string; name: string; prefix: string },
): Promise<void> {
  const organizationIds = await organizationIdsOf(transaction, user.id);
  const record = { projectId: null, kind, actor: user, subject: id, detail: { name, prefix } };
  await recordAuditInEach(transaction, clock, organizationIds, record);
}
