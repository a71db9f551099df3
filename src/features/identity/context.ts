import type { Clock } from '../../platform/clock/clock.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { Queues } from './queues.ts';
import type { IdentityDb } from './tables.ts';

/** What the verbs of identity work with. */
export interface IdentityContext {
  db: IdentityDb;
  clock: Clock;
  keys: ApiKeyCache;
  /** Sign-ins wait for each other by account and address: passwords tried at once are counted like those tried in turn. */
  signIns: Queues;
}

/** Now, as the database takes it. */
export function nowOf(context: { clock: Clock }): Date {
  return new Date(context.clock.now());
}
