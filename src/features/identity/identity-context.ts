import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { ApiKeyCache } from './api-key-cache.ts';
import { Queues } from './queues.ts';
import type { IdentityDb } from './tables.ts';

/** Dependencies of identity's verbs. */
export interface IdentityContext {
  db: IdentityDb;
  clock: Clock;
  keys: ApiKeyCache;
  /** Serializes sign-ins by account and address, so that concurrent attempts are counted like sequential ones. */
  signIns: Queues;
}

/** The context over the relational database. */
export function identityContext(database: Database, clock: Clock): IdentityContext {
  const db = database as unknown as IdentityDb;
  return { db, clock, keys: new ApiKeyCache(db, clock), signIns: new Queues() };
}

/** The current time as a column value. */
export function nowOf(context: { clock: Clock }): Date {
  return new Date(context.clock.now());
}
