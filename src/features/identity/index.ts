import type { Clock } from '../../platform/clock/clock.ts';
import type { Server } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { administrationRoutes } from './administration-routes.ts';
import { ApiKeyCache } from './api-key-cache.ts';
import type { IdentityContext } from './context.ts';
import { Queues } from './queues.ts';
import { sessionRoutes } from './session-routes.ts';
import type { IdentityDb } from './tables.ts';

export { bootstrap } from './bootstrap.ts';
export type { FirstStart, FirstStartInput } from './bootstrap.ts';
export type { IdentityContext } from './context.ts';
export { IdentityAuthenticator } from './authenticator.ts';
export { resetPassword } from './members.ts';
export { setPlan } from './organizations.ts';
export { createProject, listProjectPlans } from './projects.ts';
export { forgetExpired } from './sign-in.ts';

/** What the verbs of identity work with, over the relational database. */
export function identityContext(database: Database, clock: Clock): IdentityContext {
  const db = database as unknown as IdentityDb;
  return { db, clock, keys: new ApiKeyCache(db, clock), signIns: new Queues() };
}

/** Every route of identity. `publicOrigin`: scheme, host and port under which browsers know the service. */
export function identityRoutes(app: Server, context: IdentityContext, publicOrigin: () => string): void {
  sessionRoutes(app, context, publicOrigin);
  administrationRoutes(app, context);
}
