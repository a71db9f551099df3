export type { Access, Authenticator, Caller, RequestAccess, Tenant } from './access.ts';
export { sessionCookie } from './access-check.ts';
export { publicError } from './errors.ts';
export type { PublicError } from './errors.ts';
export { Readiness } from './readiness.ts';
export { actingOf, actorOf, callerOf, keyOf, organizationOf, tenantOf, userActorOf, userOf } from './request-access.ts';
export { createServer } from './server.ts';
export type { ServerOptions } from './server.ts';
export type { Server } from './server-type.ts';
