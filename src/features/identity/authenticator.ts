import { v7 as uuidv7 } from 'uuid';
import { isApiKey, randomBase62 } from '../../contract/api-key.ts';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import type { Authenticator, Caller, FailedRequest } from '../../platform/http/index.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import { heldIfRefused } from './held-back.ts';
import { browserCookie } from './known-browsers.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { dayMs, hourMs } from '../../contract/durations.ts';
import { isUuid } from '../../contract/uuid.ts';

/** Days that a session is valid after its last use (docs/semantics.md, "Sessions and personal tokens"). */
export const sessionDays = 14;
export const sessionMs = sessionDays * dayMs;
/** The longest life of a session, however often it is used. */
export const longestSessionMs = 90 * dayMs;
/** The expiry is extended at most this often. */
const slideEveryMs = hourMs;

const tokenPattern = /^spwu_[0-9A-Za-z]{40}$/;
const sessionPattern = /^[0-9A-Za-z]{43}$/;

function couldBeSecret(secret: string): boolean {
  return isApiKey(secret) || tokenPattern.test(secret);
}

type User = Extract<Caller, { kind: 'user' }>;

/** Looks up the callers of HTTP requests in the identity tables. */
export class IdentityAuthenticator implements Authenticator {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #keys: ApiKeyCache;
  readonly #limits: SignInLimits;

  constructor(db: Database, clock: Clock, keys: ApiKeyCache, limits: SignInLimits) {
    this.#db = db;
    this.#clock = clock;
    this.#keys = keys;
    this.#limits = limits;
  }

  /**
   * What is nobody's guess does not count: a text that no secret can be, and a session that has ended, in a browser that has signed in before.
   */
  async failed({ address, cookies, secrets, session }: FailedRequest): Promise<void> {
    const ended = () => this.#limits.browsers.knows(cookies[browserCookie], null, this.#clock.now());
    const isGuess = secrets.some(couldBeSecret) || (session !== null && sessionPattern.test(session) && !ended());
    if (!isGuess) return;
    await heldIfRefused(this.#limits.heldBack, () => this.#limits.failedCredentials.count(address));
  }

  byApiKey(secret: string): ReturnType<Authenticator['byApiKey']> {
    return this.#keys.find(secret);
  }

  scopeUsed(keyId: string, scope: ApiKeyScope): void {
    this.#keys.scopeUsed(keyId, scope);
  }

  async byToken(secret: string): Promise<User | null> {
    const now = this.#clock.now();
    const row = await this.#db
      .selectFrom('personal_tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.id as tokenId', 't.last_used_at', 'u.id as userId', 'u.email', 'u.name'])
      .where('t.secret_sha256', '=', hashSecret(secret))
      .where((where) => where.or([where('t.expires_at', 'is', null), where('t.expires_at', '>', new Date(now))]))
      .executeTakeFirst();
    if (!row) return null;
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
      .select(['s.id as sessionId', 's.created_at', 's.expires_at', 'u.id as userId', 'u.email', 'u.name'])
      .where('s.secret_sha256', '=', hashSecret(secret))
      .where('s.expires_at', '>', new Date(now))
      // Also for sessions that an earlier release let live for longer.
      .where('s.created_at', '>', new Date(now - longestSessionMs))
      .executeTakeFirst();
    if (!row) return null;
    const fresh = Math.min(now + sessionMs, row.created_at.getTime() + longestSessionMs);
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
      .where(isUuid(slugOrId) ? 'o.id' : 'o.slug', '=', slugOrId)
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
export async function createSession(db: Database, clock: Clock, userId: string): Promise<string> {
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
