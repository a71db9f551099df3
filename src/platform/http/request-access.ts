import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Acting, RequestActor, UserActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { roleHas } from '../../contract/permissions.ts';
import type { Permission } from '../../contract/permissions.ts';
import type { BodyKind } from '../budgets/index.ts';
import type { Access, Caller, RequestAccess, Tenant } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    access: RequestAccess;
  }
  interface FastifyContextConfig {
    /** Which callers the route accepts; required. */
    access?: Access;
    /**
     * Checks that the resource of the path exists, before the body is read and validated (docs/semantics.md, "Order of checks").
     * Throws `not_found`. May use the path and `tenantOf` or `organizationOf`, not the body; params are not validated yet.
     */
    resource?: (request: FastifyRequest) => Promise<void>;
    /**
     * The same check for a handler that looks the resource up itself: called for an invalid request only, so that a valid one causes no
     * second query.
     */
    resourceIfInvalid?: (request: FastifyRequest) => Promise<void>;
    /** The kind of the body, which limits it; the default is that of `bodyLimits`. */
    body?: BodyKind;
    /** What the OpenAPI document says of a body that the route reads itself, in the media types of `consumes`. */
    ownBody?: z.ZodType;
    /** The route has a bucket of its own, or answers from memory: its requests do not count against `requestRates`. */
    uncounted?: boolean;
    /** For pages and callbacks of others, whose addresses carry parameters that are not the service's: any query is taken. */
    anyQuery?: boolean;
    /** For health checks: not answered with 503 while draining. */
    answersWhileDraining?: boolean;
  }
}

/** The caller; on routes that are not public. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.access;
  if (!caller) throw new Error('the route has no caller: it is public');
  return caller;
}

/** Who shares the limits of work with whom: the API key, the user, or the address of a request without either. */
export function callerKey({ access, ip }: FastifyRequest): string {
  const caller = access?.caller;
  if (!caller) return ip;
  return caller.kind === 'key' ? caller.keyId : caller.userId;
}

/** The actor of the request; on routes that are not public. */
export function actorOf(request: FastifyRequest): RequestActor {
  const caller = callerOf(request);
  return caller.kind === 'user' ? userActor(caller) : { type: 'api_key', id: caller.keyId, name: caller.keyName };
}

/** The user as an actor; on session routes. */
export function userActorOf(request: FastifyRequest): UserActor {
  return userActor(userOf(request));
}

function userActor({ userId, email, name }: Extract<Caller, { kind: 'user' }>): UserActor {
  return { type: 'user', id: userId, email, name };
}

/** The actor of the request and the project in which it acts; on project-scoped routes. */
export function actingOf(request: FastifyRequest): Acting {
  const { organizationId, projectId } = tenantOf(request);
  return { organizationId, projectId, actor: actorOf(request) };
}

/** Whether the caller may use a permission in its project; on project-scoped routes. A key has every permission of key-or-session routes. */
export function mayUse(request: FastifyRequest, permission: Permission): boolean {
  const { caller, role } = request.access;
  return caller?.kind === 'key' || (role !== null && roleHas(role, permission));
}

/** Whether the caller is an owner or admin; on project-scoped routes. An API key, which has no role, is neither. */
export function administers({ access: { role } }: FastifyRequest): boolean {
  // A permission of exactly those two.
  return role !== null && roleHas(role, 'connections:manage');
}

/** The calling user; on session routes. */
export function userOf(request: FastifyRequest): Extract<Caller, { kind: 'user' }> {
  const caller = callerOf(request);
  if (caller.kind !== 'user') throw new Error('the route is not for users');
  return caller;
}

/** The user who is signed in, if any; on public routes with `whoever`. */
export function whoeverOf(request: FastifyRequest): Extract<Caller, { kind: 'user' }> | null {
  const { caller } = request.access;
  return caller?.kind === 'user' ? caller : null;
}

/** The calling API key; on key routes. */
export function keyOf(request: FastifyRequest): Extract<Caller, { kind: 'key' }> {
  const caller = callerOf(request);
  if (caller.kind !== 'key') throw new Error('the route is not for keys');
  return caller;
}

/** The project that the request may use; on project-scoped routes. */
export function tenantOf(request: FastifyRequest): Tenant {
  const { tenant } = request.access;
  if (!tenant) throw new Error('the route is not project-scoped');
  return tenant;
}

/** The organization that the request may use; on organization-scoped routes. */
export function organizationOf(request: FastifyRequest): NonNullable<RequestAccess['organization']> {
  const { organization } = request.access;
  if (!organization) throw new Error('the route is not organization-scoped');
  return organization;
}

const howToCall: Readonly<Record<Exclude<Access['who'], 'public'> | 'key-or-token', string>> = {
  key: 'Send a valid project API key in the x-api-key header; create and rotate keys in the project settings.',
  'key-or-token':
    'Send a valid project API key in the x-api-key header, or a personal access token with projectId in the query; a session of the dashboard cannot be used here.',
  session: 'Sign in to the dashboard, or send a valid personal access token.',
  'key-or-session':
    'Send a valid project API key in the x-api-key header, or sign in; create and rotate keys in the project settings.',
};

/** @param who the callers that the route accepts; `key-or-token`: without the cookie of the dashboard */
export function unauthenticated(who: keyof typeof howToCall): ServiceError {
  return new ServiceError('unauthenticated', howToCall[who]);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}
