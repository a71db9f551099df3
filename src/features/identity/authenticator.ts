import { v7 as uuidv7 } from 'uuid';
import { randomBase62 } from '../../contract/api-key.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import type { Authenticator, Caller } from '../../platform/http/index.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { IdentityDb } from './tables.ts';

const dayMs = 86_400_000;
/** Days that a session is valid after its last use (docs/semantics.md, "Sessions and personal tokens"). */
export const sessionDays = 14;
export const sessionMs = sessionDays * dayMs;
/** The expiry is extended at most this often. */
const slideEveryMs = 3_600_000;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type User = Extract<Caller, { kind: 'user' }>;

/** Looks up the callers of HTTP requests in the identity tables. */
export class IdentityAuthenticator implements Authenticator {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #keys: ApiKeyCache;

  constructor(db: IdentityDb, clock: Clock, keys: ApiKeyCache) {
    this.#db = db;
    this.#clock = clock;
    this.#keys = keys;
  }

  byApiKey(secret: string): ReturnType<Authenticator['byApiKey']> {
    return this.#keys.find(secret);
  }

  async byToken(secret: string): Promise<User | null> {
    const row = await this.#db
      .selectFrom('personal_tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.id as tokenId', 't.last_used_at', 'u.id as userId', 'u.email', 'u.name'])
      .where('t.secret_sha256', '=', hashSecret(secret))
      .executeTakeFirst();
    if (!row) return null;
    const now = this.#clock.now();
    if ((row.last_used_at?.getTime() ?? 0) < now - 60_000) {
      await this.#db
        .updateTable('personal_tokens')
        .set({ last_used_at: new Date(now) })
        .where('id', '=', row.tokenId)
        .execute();
    }
    return { kind: 'user', userId: row.userId, email: row.email, name: row.name, via: 'token', sessionId: null };
  }

  async bySession(secret: string): Promise<User | null> {
    const now = this.#clock.now();
    const row = await this.#db
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['s.id as sessionId', 's.expires_at', 'u.id as userId', 'u.email', 'u.name'])
      .where('s.secret_sha256', '=', hashSecret(secret))
      .where('s.expires_at', '>', new Date(now))
      .executeTakeFirst();
    if (!row) return null;
    const fresh = now + sessionMs;
    if (row.expires_at.getTime() < fresh - slideEveryMs) {
      await this.#db
        .updateTable('sessions')
        .set({ expires_at: new Date(fresh) })
        .where('id', '=', row.sessionId)
        .execute();
    }
    return { kind: 'user', userId: row.userId, email: row.email, name: row.name, via: 'session', sessionId: row.sessionId };
  }

  async projectFor(userId: string, projectId: string): ReturnType<Authenticator['projectFor']> {
    const row = await this.#db
      .selectFrom('projects as p')
      .innerJoin('organizations as o', 'o.id', 'p.organization_id')
      .innerJoin('memberships as m', 'm.organization_id', 'o.id')
      .select(['o.id as organizationId', 'o.plan', 'm.role'])
      .where('p.id', '=', projectId)
      .where('m.user_id', '=', userId)
      .executeTakeFirst();
    return row ? { tenant: { organizationId: row.organizationId, projectId, plan: row.plan }, role: row.role } : null;
  }

  async organizationFor(userId: string, slugOrId: string): ReturnType<Authenticator['organizationFor']> {
    const row = await this.#db
      .selectFrom('organizations as o')
      .innerJoin('memberships as m', 'm.organization_id', 'o.id')
      .select(['o.id', 'o.slug', 'o.plan', 'm.role'])
      .where(uuidPattern.test(slugOrId) ? 'o.id' : 'o.slug', '=', slugOrId)
      .where('m.user_id', '=', userId)
      .executeTakeFirst();
    return row ?? null;
  }

  async rolesOf(userId: string): ReturnType<Authenticator['rolesOf']> {
    const rows = await this.#db.selectFrom('memberships').select('role').where('user_id', '=', userId).execute();
    return rows.map((row) => row.role);
  }
}

/** Creates a session and returns its secret, which is stored only in the cookie. */
export async function createSession(db: IdentityDb, clock: Clock, userId: string): Promise<string> {
  const secret = randomBase62(43);
  const now = clock.now();
  await db
    .insertInto('sessions')
    .values({
      id: uuidv7(),
      user_id: userId,
      secret_sha256: hashSecret(secret),
      created_at: new Date(now),
      expires_at: new Date(now + sessionMs),
    })
    .execute();
  return secret;
}
