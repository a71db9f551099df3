import { dayMs } from '../../contract/durations.ts';
import { apiKeyScopes, unusedAfterDays } from '../../contract/key-scopes.ts';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import type { IdentityTables } from './tables.ts';

export interface ApiKeyRecord {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  previousSecretExpiresAt: string | null;
  /** null: everything that keys may do. */
  scopes: ApiKeyScope[] | null;
  /** null: does not expire. */
  expiresAt: string | null;
  /** Also of scopes that the key has no more. */
  scopesUsed: Array<{ scope: ApiKeyScope; lastUsedAt: string }>;
  /** Scopes that it never used; empty until it has had its scopes for `unusedAfterDays`. */
  unusedScopes: ApiKeyScope[];
}

export const apiKeyColumns = [
  'id',
  'name',
  'prefix',
  'created_at',
  'last_used_at',
  'previous_expires_at',
  'scopes',
  'scopes_since',
  'expires_at',
] as const;

type Row = Pick<IdentityTables['api_keys'], 'id' | 'name' | 'prefix' | 'created_at' | 'last_used_at' | 'previous_expires_at'> & {
  scopes: ApiKeyScope[] | null;
  scopes_since: Date | null;
  expires_at: Date | null;
};

/** Keys as the API shows them, with what they have used of their scopes. @param now epoch milliseconds */
export async function apiKeyRecords(db: Database | Transaction, rows: readonly Row[], now: number): Promise<ApiKeyRecord[]> {
  const ids = rows.map(({ id }) => id);
  const uses = ids.length === 0 ? [] : await db.selectFrom('api_key_scope_uses').selectAll().where('key_id', 'in', ids).execute();
  const ofKey = Map.groupBy(uses, (use) => use.key_id);
  return rows.map((row) => apiKeyRecord(row, ofKey.get(row.id) ?? [], now));
}

/** A key as the API shows it. @param uses of its scopes @param now epoch milliseconds */
export function apiKeyRecord(
  row: Row,
  uses: ReadonlyArray<{ scope: ApiKeyScope; last_used_at: Date }>,
  now: number,
): ApiKeyRecord {
  const usedAt = new Map(uses.map((use) => [use.scope, use.last_used_at.toISOString()]));
  const isOld = row.scopes_since !== null && row.scopes_since.getTime() + unusedAfterDays * dayMs <= now;
  const previousIsValid = row.previous_expires_at !== null && row.previous_expires_at.getTime() > now;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    previousSecretExpiresAt: previousIsValid ? (row.previous_expires_at?.toISOString() ?? null) : null,
    scopes: row.scopes,
    expiresAt: row.expires_at?.toISOString() ?? null,
    scopesUsed: apiKeyScopes.flatMap((scope) => {
      const lastUsedAt = usedAt.get(scope);
      return lastUsedAt === undefined ? [] : [{ scope, lastUsedAt }];
    }),
    unusedScopes: isOld ? (row.scopes ?? []).filter((scope) => !usedAt.has(scope)) : [],
  };
}

/** The scopes in their order, as they are stored. */
export function inOrder(scopes: readonly ApiKeyScope[] | null | undefined): ApiKeyScope[] | null {
  return scopes ? apiKeyScopes.filter((scope) => scopes.includes(scope)) : null;
}

/** What an audit entry says of what a key may do; nothing of a key without limits. */
export function grantOf(row: { scopes: ApiKeyScope[] | null; expires_at: Date | null }): {
  scopes?: ApiKeyScope[];
  expiresAt?: string;
} {
  return {
    ...(row.scopes === null ? {} : { scopes: row.scopes }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
  };
}
