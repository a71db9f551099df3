import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isApiKey } from '../../contract/api-key.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { sameHash, secretName } from '../../platform/crypto/secrets.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

export type KeyCaller = Extract<Caller, { kind: 'key' }>;

interface Entry {
  caller: KeyCaller | null;
  /** When it was read, epoch milliseconds. A clock that was set back before it ends its validity. */
  readAt: number;
  /** Epoch milliseconds until which the entry is valid. */
  freshUntil: number;
  /** The same while the database does not answer. */
  staleUntil: number;
}

/** Milliseconds that an entry is valid, and so the longest that a key revoked by another replica still works. */
const freshMs = 3_000;
/** Milliseconds more for which a known key is served while the database does not answer, so that ingestion goes on. */
const staleMs = 10_000;
/** Milliseconds after which the database counts as one that does not answer. */
const patienceMs = 500;
const maxEntries = 10_000;
const usedEveryMs = 60_000;

/**
 * Looks up project API keys and caches them for a few seconds, since every ingestion request needs one. While the database is busy or away, a key that it
 * knew a moment ago is served. Keeps the last use of keys and of their scopes accurate to a minute.
 */
export class ApiKeyCache {
  readonly #db: Database;
  readonly #clock: Clock;
  /** By the secret's hash. Unknown secrets have a cache of their own, so that guessing does not evict known ones. */
  readonly #known = new LRUCache<string, Entry>({ max: maxEntries });
  readonly #unknown = new LRUCache<string, Entry>({ max: maxEntries });
  readonly #underWay = new Map<string, Promise<Entry>>();
  /** Look-ups that the database has not answered in time. */
  readonly #late = new Set<Promise<Entry>>();
  readonly #patienceMs: number;
  readonly #usedAt = new LRUCache<string, number>({ max: maxEntries });
  /** By key. */
  readonly #scopesUsedAt = new LRUCache<string, Map<ApiKeyScope, number>>({ max: maxEntries });
  #generation = 0;

  constructor(db: Database, clock: Clock, options: { patienceMs?: number } = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#patienceMs = options.patienceMs ?? patienceMs;
  }

  /** The key of a secret; null when it is malformed, unknown, revoked or expired. */
  async find(secret: string): Promise<KeyCaller | null> {
    const id = secretName(secret);
    const now = this.#clock.now();
    const entry = this.#known.get(id) ?? this.#unknown.get(id);
    const fresh = entry !== undefined && entry.readAt <= now && now < entry.freshUntil;
    // Checked after the cache: cached secrets are well-formed.
    if (!fresh && !isApiKey(secret)) return null;
    const { caller } = fresh ? entry : await this.#asked(id, entry, now);
    if (caller) this.#used(caller.keyId, now);
    return caller;
  }

  /** Clears the cache, so that a change by this process applies at once. */
  clear(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#unknown.clear();
    this.#underWay.clear();
  }

  /** What the database says, or what it said a moment ago where it does not answer. */
  async #asked(id: string, entry: Entry | undefined, now: number): Promise<Entry> {
    const asking = this.#ask(id, Buffer.from(id, 'base64'), now);
    if (!entry?.caller || entry.readAt > now || now >= entry.staleUntil) return asking;
    if (this.#late.has(asking)) return entry;
    const late = Promise.withResolvers<Entry>();
    const timer = setTimeout(() => {
      this.#late.add(asking);
      const answered = () => void this.#late.delete(asking);
      asking.then(answered, answered);
      late.resolve(entry);
    }, this.#patienceMs);
    try {
      return await Promise.race([asking, late.promise]);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'unavailable') throw error;
      return entry;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Concurrent look-ups of one secret share a query. */
  #ask(id: string, hash: Buffer, now: number): Promise<Entry> {
    const asked = this.#underWay.get(id);
    if (asked) return asked;
    const asking = this.#askAlone(id, hash, now).finally(() => {
      if (this.#underWay.get(id) === asking) this.#underWay.delete(id);
    });
    this.#underWay.set(id, asking);
    return asking;
  }

  async #askAlone(id: string, hash: Buffer, now: number): Promise<Entry> {
    const generation = this.#generation;
    const entry = await this.#lookUp(hash, now);
    // A result that was read before the cache was cleared is not cached.
    if (generation === this.#generation) this.#remember(id, entry);
    return entry;
  }

  #remember(id: string, entry: Entry): void {
    this.#known.delete(id);
    this.#unknown.delete(id);
    (entry.caller ? this.#known : this.#unknown).set(id, entry);
  }

  async #lookUp(hash: Buffer, now: number): Promise<Entry> {
    const row = await this.#db
      .selectFrom('api_keys as k')
      .innerJoin('projects as p', 'p.id', 'k.project_id')
      .innerJoin('organizations as o', 'o.id', 'p.organization_id')
      .select([
        'k.id as keyId',
        'k.name as keyName',
        'k.prefix as keyPrefix',
        'k.secret_sha256',
        'k.previous_expires_at',
        'k.expires_at',
        'k.scopes',
        'p.id as projectId',
        'p.name as projectName',
        'o.id as organizationId',
        'o.slug as organizationSlug',
        'o.plan',
      ])
      .where((where) => where.or([where('k.secret_sha256', '=', hash), where('k.previous_sha256', '=', hash)]))
      .where('k.revoked_at', 'is', null)
      .executeTakeFirst();
    const fresh = { readAt: now, freshUntil: now + freshMs, staleUntil: now + freshMs + staleMs };
    if (!row) return { caller: null, ...fresh };
    const { secret_sha256: current, previous_expires_at: previousExpiry, expires_at: keyExpiry, ...caller } = row;
    const secretExpiry = sameHash(current, hash) ? Infinity : (previousExpiry?.getTime() ?? 0);
    const expiry = Math.min(secretExpiry, keyExpiry?.getTime() ?? Infinity);
    if (expiry <= now) return { caller: null, ...fresh };
    return {
      caller: { kind: 'key', ...caller },
      readAt: now,
      freshUntil: Math.min(fresh.freshUntil, expiry),
      staleUntil: Math.min(fresh.staleUntil, expiry),
    };
  }

  #used(keyId: string, now: number): void {
    if ((this.#usedAt.get(keyId) ?? 0) > now - usedEveryMs) return;
    this.#usedAt.set(keyId, now);
    // Not awaited: a failure to store the last use must not fail the request.
    this.#db
      .updateTable('api_keys')
      .set({ last_used_at: new Date(now) })
      .where('id', '=', keyId)
      .execute()
      .catch(() => this.#usedAt.delete(keyId));
  }

  /** Notes that a key has used a scope. At most one write a minute for each scope of a key, which nobody waits for. */
  scopeUsed(keyId: string, scope: ApiKeyScope): void {
    const now = this.#clock.now();
    let uses = this.#scopesUsedAt.get(keyId);
    if (!uses) this.#scopesUsedAt.set(keyId, (uses = new Map()));
    if ((uses.get(scope) ?? 0) > now - usedEveryMs) return;
    uses.set(scope, now);
    this.#db
      .insertInto('api_key_scope_uses')
      .values({ key_id: keyId, scope, last_used_at: new Date(now) })
      .onConflict((conflict) => conflict.columns(['key_id', 'scope']).doUpdateSet({ last_used_at: sql`excluded.last_used_at` }))
      .execute()
      .catch(() => this.#scopesUsedAt.get(keyId)?.delete(scope));
  }
}
