import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import type { Access, Caller, RequestAccess, Tenant } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    access: RequestAccess;
  }
  interface FastifyContextConfig {
    /** Who may call the route; a route without it does not start. */
    access?: Access;
    /**
     * Checks that what the path names exists, before the body is read and validated (contract section 1: 404 comes before 400).
     * Throws `not_found`. Looks at the path and at `tenantOf` or `organizationOf`, never at the body; params are not validated yet.
     */
    resource?: (request: FastifyRequest) => Promise<void>;
    /** For health checks: answers on while everything else is told 503. */
    answersWhileDraining?: boolean;
  }
}

/** Who called; on routes that are not public. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.access;
  if (!caller) throw new Error('the route has no caller: it is public');
  return caller;
}

/** The user who called; on session routes. */
export function userOf(request: FastifyRequest): Extract<Caller, { kind: 'user' }> {
  const caller = callerOf(request);
  if (caller.kind !== 'user') throw new Error('the route is not for users');
  return caller;
}

/** The key that called; on key routes. */
export function keyOf(request: FastifyRequest): Extract<Caller, { kind: 'key' }> {
  const caller = callerOf(request);
  if (caller.kind !== 'key') throw new Error('the route is not for keys');
  return caller;
}

/** The project that the request may touch; on project-scoped routes. */
export function tenantOf(request: FastifyRequest): Tenant {
  const { tenant } = request.access;
  if (!tenant) throw new Error('the route is not project-scoped');
  return tenant;
}

/** The organisation that the request may touch; on organisation-scoped routes. */
export function organizationOf(request: FastifyRequest): NonNullable<RequestAccess['organization']> {
  const { organization } = request.access;
  if (!organization) throw new Error('the route is not organisation-scoped');
  return organization;
}

export function unauthenticated(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'Send a valid project API key in the x-api-key header, or sign in; create and rotate keys in the project settings.',
  );
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}
