import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { randomBase62 } from '../../contract/api-key.ts';
import type { UserActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListQuery } from '../../contract/identity.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordAuditInEach } from '../audit/index.ts';
import { futureExpiry } from './future-expiry.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import { mostTokensOfPerson, requireFewer } from './require-fewer.ts';
import type { IdentityTables } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

const oldestFirst = byCreation('asc');

export interface TokenRecord {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  /** null: does not expire. */
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/**
 * Creates a personal access token, which acts as its user. The secret is returned only here.
 *
 * Errors: `invalid_request` for an expiry in the past; `conflict` beyond the tokens of a person.
 */
export async function createToken(
  context: IdentityContext,
  user: UserActor,
  input: { name: string; expiresAt?: string | undefined },
): Promise<TokenRecord & { token: string }> {
  const token = `spwu_${randomBase62(40)}`;
  const now = nowOf(context);
  const row = {
    id: uuidv7(),
    user_id: user.id,
    name: input.name,
    prefix: token.slice(0, 11),
    secret_sha256: hashSecret(token),
    created_at: now,
    expires_at: futureExpiry(input.expiresAt, now, 'token'),
    last_used_at: null,
  };
  await context.db.transaction().execute(async (transaction) => {
    await requireRoom(transaction, user.id, now);
    await transaction.insertInto('personal_tokens').values(row).execute();
    await recordToken(transaction, context, 'token.created', user, row);
  });
  return { ...tokenRecord(row), token };
}

async function requireRoom(transaction: Transaction, userId: string, now: Date): Promise<void> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { tokens } = await transaction
    .selectFrom('personal_tokens')
    .select(sql<number>`count(*)::int`.as('tokens'))
    .where('user_id', '=', userId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  requireFewer(
    tokens,
    mostTokensOfPerson,
    `You have ${mostTokensOfPerson} valid tokens, the most that a person may have; delete one first.`,
  );
}

function tokenRecord(
  row: Pick<IdentityTables['personal_tokens'], 'id' | 'name' | 'prefix' | 'created_at' | 'expires_at' | 'last_used_at'>,
): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

/** A user's tokens, oldest first. */
export async function listTokens(
  context: IdentityContext,
  userId: string,
  query: ListQuery,
): Promise<{ tokens: TokenRecord[]; nextCursor: string | null }> {
  const select = context.db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'prefix', 'created_at', 'expires_at', 'last_used_at'])
    .where('user_id', '=', userId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { tokens: rows.map(tokenRecord), nextCursor };
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
  transaction: Transaction,
  { clock }: IdentityContext,
  kind: 'token.created' | 'token.revoked',
  user: UserActor,
  { id, name, prefix }: { id: string; name: string; prefix: string },
): Promise<void> {
  const organizationIds = await organizationIdsOf(transaction, user.id);
  const record = { projectId: null, kind, actor: user, subject: id, detail: { name, prefix } };
  await recordAuditInEach(transaction, clock, organizationIds, record);
}
