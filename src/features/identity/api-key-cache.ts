import { isApiKey } from '../../contract/api-key.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { sameHash, secretName } from '../../platform/crypto/secrets.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { IdentityDb } from './tables.ts';

export type KeyCaller = Extract<Caller, { kind: 'key' }>;

interface Entry {
  caller: KeyCaller | null;
  /** Epoch milliseconds until which the entry may be used. */
  freshUntil: number;
}

/** How long a replica may go on with what it knows of a key: the longest that a key revoked elsewhere still works here. */
const freshMs = 3_000;
const mostEntries = 10_000;
const usedEveryMs = 60_000;

/**
 * Looks up project API keys, remembering them for a few seconds: ingestion asks at every request. Keeps `last_used_at` to the
 * minute.
 */
export class ApiKeyCache {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  /** By the secret's hash, oldest first. Secrets that nobody has are kept apart, so that guessing does not drive out the others. */
  readonly #known = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Entry>>();
  readonly #usedAt = new Map<string, number>();
  #generation = 0;

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Who a secret belongs to; null when it is malformed, unknown, revoked or expired. */
  async find(secret: string): Promise<KeyCaller | null> {
    const id = secretName(secret);
    const now = this.#clock.now();
    const entry = this.#known.get(id) ?? this.#unknown.get(id);
    const fresh = entry !== undefined && entry.freshUntil > now;
    // Asked late, since what is known has passed it before.
    if (!fresh && !isApiKey(secret)) return null;
    const { caller } = fresh ? entry : await this.#ask(id, Buffer.from(id, 'base64'), now);
    if (caller) this.#used(caller.keyId, now);
    return caller;
  }

  /** Forgets everything, so that a change made here holds here at once. */
  clear(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#unknown.clear();
    this.#underWay.clear();
  }

  /** One question to the database for all who ask at once. */
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
    // What was read before a change must not outlive it.
    if (generation === this.#generation) this.#remember(id, entry);
    return entry;
  }

  #remember(id: string, entry: Entry): void {
    this.#known.delete(id);
    this.#unknown.delete(id);
    const entries = entry.caller ? this.#known : this.#unknown;
    if (entries.size >= mostEntries) forgetOldest(entries);
    entries.set(id, entry);
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
        'p.id as projectId',
        'p.name as projectName',
        'o.id as organizationId',
        'o.slug as organizationSlug',
        'o.plan',
      ])
      .where((where) => where.or([where('k.secret_sha256', '=', hash), where('k.previous_sha256', '=', hash)]))
      .where('k.revoked_at', 'is', null)
      .executeTakeFirst();
    const freshUntil = now + freshMs;
    if (!row) return { caller: null, freshUntil };
    const { secret_sha256: current, previous_expires_at: previousExpiry, ...caller } = row;
    if (sameHash(current, hash)) return { caller: { kind: 'key', ...caller }, freshUntil };
    const expiry = previousExpiry?.getTime() ?? 0;
    if (expiry <= now) return { caller: null, freshUntil };
    return { caller: { kind: 'key', ...caller }, freshUntil: Math.min(freshUntil, expiry) };
  }

  #used(keyId: string, now: number): void {
    if ((this.#usedAt.get(keyId) ?? 0) > now - usedEveryMs) return;
    if (this.#usedAt.size >= mostEntries) forgetOldest(this.#usedAt);
    this.#usedAt.delete(keyId);
    this.#usedAt.set(keyId, now);
    // Not waited for: a request does not fail because its key's last use could not be noted.
    this.#db
      .updateTable('api_keys')
      .set({ last_used_at: new Date(now) })
      .where('id', '=', keyId)
      .execute()
      .catch(() => this.#usedAt.delete(keyId));
  }
}

function forgetOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
