export type { Access, Authenticator, Caller, FailedRequest, KeyScopes, RequestAccess, Tenant } from './access.ts';
export { hostSessionCookie, sameOrigin, sessionCookie, sessionSecretOf } from './access-check.ts';
export { publicError } from './errors.ts';
export type { PublicError } from './errors.ts';
export { drainBody } from './drain-body.ts';
export { GatheredBytes } from '../memory/gathered-bytes.ts';
export { namesEtag } from './if-none-match.ts';
export { hasScope, lackingScope, requireScope } from './key-scopes.ts';
export { accepts, jsonType, mediaTypeOf } from './media-types.ts';
export { maxConnectionsUnder, openFileLimit } from './limit-connections.ts';
export { refuseExcess } from './read-json.ts';
export { readWhole, refuseCompressed } from './read-whole.ts';
export { Readiness } from './readiness.ts';
export {
  actingOf,
  actorOf,
  administers,
  callerKey,
  callerOf,
  keyOf,
  mayUse,
  organizationOf,
  tenantOf,
  userActorOf,
  userOf,
  whoeverOf,
} from './request-access.ts';
export { validated } from './request-validation.ts';
export { route } from './route.ts';
export { createServer } from './server.ts';
export type { ServerOptions } from './server.ts';
export type { Server } from './server-type.ts';
