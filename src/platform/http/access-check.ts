import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { roleHas } from '../../contract/permissions.ts';
import type { Permission, Role } from '../../contract/permissions.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Access, Authenticator, Caller } from './access.ts';
import { lackingScope, hasScope, requireScope } from './key-scopes.ts';
import { forbidden, unauthenticated } from './request-access.ts';

export const sessionCookie = 'spanwise_session';
/**
 * The name behind TLS. Browsers take it from this host alone, so that no other host of the domain can set it. The other name is still read: sessions of earlier
 * releases have it.
 */
export const hostSessionCookie = '__Host-spanwise_session';

/** The secret of the session that a request names. */
export function sessionSecretOf({ cookies }: Pick<FastifyRequest, 'cookies'>): string | undefined {
  return cookies[hostSessionCookie] ?? cookies[sessionCookie];
}

type User = Extract<Caller, { kind: 'user' }>;
type Key = Extract<Caller, { kind: 'key' }>;
type Needed = Permission | readonly Permission[];

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Authenticates and authorizes requests, in the order 401, 403, 404 (docs/semantics.md, "Order of checks"). 400 follows.
 * `beforeBody` uses headers, path and query; `afterBody` runs on the parsed body, for a session whose `projectId` may be in it.
 */
export class AccessCheck {
  readonly #authenticator: Authenticator;
  readonly #publicOrigin: () => string;

  /** @param publicOrigin scheme, host and port under which browsers know the service */
  constructor(authenticator: Authenticator, publicOrigin: () => string) {
    this.#authenticator = authenticator;
    this.#publicOrigin = publicOrigin;
  }

  async beforeBody(request: FastifyRequest, access: Access): Promise<void> {
    request.access = { caller: null, tenant: null, role: null, organization: null, noteScope: null };
    switch (access.who) {
      case 'public':
        if (access.byCookie && sessionSecretOf(request) !== undefined) this.#sameOrigin(request);
        if (access.whoever) request.access.caller = await this.#user(request);
        return;
      case 'key':
        this.#useKey(
          request,
          (await this.#key(request)) ?? (await this.#refuse(request, access.who, unauthenticated(access.who))),
          access,
        );
        return;
      case 'session':
        await this.#session(request, access);
        return;
      case 'key-or-session':
        await this.#keyOrSession(request, access);
    }
  }

  /** Whether the project must be read from the `projectId` of the body. */
  needsBody(request: FastifyRequest, access: Access): boolean {
    return access.who === 'key-or-session' && request.access.tenant === null;
  }

  async afterBody(request: FastifyRequest, access: Access): Promise<void> {
    const { caller } = request.access;
    if (access.who !== 'key-or-session' || caller?.kind !== 'user') return;
    await this.#project(request, caller, projectIdOf(request), access.permission);
  }

  async #session(request: FastifyRequest, access: Extract<Access, { who: 'session' }>): Promise<void> {
    const user = await this.#user(request);
    const noToken = 'Sign in to the dashboard; neither a personal access token nor a project API key can be used here.';
    if (!user) {
      if (access.tokens === false) return this.#refuse(request, access.who, forbidden(noToken));
      if (access.anonymous === 401) return this.#refuse(request, access.who, unauthenticated(access.who));
      const noKey = 'Sign in to the dashboard or send a personal access token; a project API key cannot be used here.';
      return this.#refuse(request, access.who, forbidden(noKey));
    }
    if (access.tokens === false && user.via !== 'session') throw forbidden(noToken);
    request.access.caller = user;
    const { id, orgId, userId } = request.params as { id?: string; orgId?: string; userId?: string };
    switch (access.scope) {
      case 'project':
        await this.#project(request, user, id, access.permission, access.orRole);
        return;
      case 'organization':
        await this.#organization(
          request,
          user,
          orgId ?? '',
          access.orSelf && userId?.toLowerCase() === user.userId ? undefined : access.permission,
        );
        return;
      case 'any-organization': {
        const roles = await this.#authenticator.rolesOf(user.userId);
        const { permission } = access;
        if (permission && !roles.some((role) => lackedBy(role, permission) === undefined)) throw lacking(permission);
        return;
      }
      case 'user':
    }
  }

  async #keyOrSession(request: FastifyRequest, access: Extract<Access, { who: 'key-or-session' }>): Promise<void> {
    const { cookies = true } = access;
    const inPath = projectInPath(request);
    const key = await this.#key(request);
    if (key) {
      this.#useKey(request, key, access);
      if (inPath !== null && inPath.toLowerCase() !== key.projectId) {
        throw new ServiceError(
          'not_found',
          'There is no such project for this API key; use the project that the key belongs to.',
        );
      }
      return;
    }
    const user = await this.#user(request, cookies);
    if (!user) return this.#refuse(request, access.who, unauthenticated(cookies ? access.who : 'key-or-token'));
    request.access.caller = user;
    const given = inPath ?? (request.query as { projectId?: unknown }).projectId;
    if (inPath !== null || typeof given === 'string') await this.#project(request, user, given as string, access.permission);
  }

  /** Errors: `forbidden` for a key whose scopes do not permit the route. */
  #useKey(
    request: FastifyRequest,
    key: Key,
    { keyScopes, scopeByAction }: Extract<Access, { who: 'key' | 'key-or-session' }>,
  ): void {
    request.access.caller = key;
    request.access.tenant = { organizationId: key.organizationId, projectId: key.projectId, plan: key.plan };
    request.access.noteScope = (scope) => this.#authenticator.scopeUsed?.(key.keyId, scope);
    if (!scopeByAction) requireScope(request, keyScopes);
    else if (!hasScope(request, keyScopes)) throw lackingScope(keyScopes);
  }

  async #project(request: FastifyRequest, user: User, projectId: unknown, permission?: Needed, orRole?: Role): Promise<void> {
    const inPath = projectInPath(request) !== null;
    if (typeof projectId !== 'string' || !isUuid(projectId)) {
      if (inPath) throw unseen();
      throw new ServiceError('invalid_request', 'Name the project: send projectId, the id of a project that you can see.', {
        details: [{ path: '/projectId', message: 'must be a project id' }],
      });
    }
    const found = await this.#authenticator.projectFor(user.userId, projectId.toLowerCase());
    if (!found) throw unseen();
    if (found.role !== orRole) requirePermission(found.role, permission);
    request.access.tenant = found.tenant;
    request.access.role = found.role;
  }

  async #organization(request: FastifyRequest, user: User, slugOrId: string, permission?: Needed): Promise<void> {
    const organization = await this.#authenticator.organizationFor(user.userId, slugOrId);
    if (!organization) throw forbidden('You are not a member of this organization; ask one of its owners to add you.');
    requirePermission(organization.role, permission);
    request.access.organization = organization;
  }

  async #key(request: FastifyRequest): Promise<Key | null> {
    const secret = keySecret(request);
    return secret === null ? null : this.#authenticator.byApiKey(secret);
  }

  async #user(request: FastifyRequest, cookies = true): Promise<User | null> {
    const token = bearer(request);
    if (token?.startsWith('spwu_')) return this.#authenticator.byToken(token);
    const cookie = sessionSecretOf(request);
    if (cookie === undefined || !cookies) return null;
    const user = await this.#authenticator.bySession(cookie);
    if (user) this.#sameOrigin(request);
    return user;
  }

  /**
   * Rejects a request without valid credentials. The wrong ones among those that were looked at count, so that nobody can try without end; having none does
   * not.
   */
  async #refuse(request: FastifyRequest, who: 'key' | 'session' | 'key-or-session', error: ServiceError): Promise<never> {
    const ofUser = who !== 'key';
    const key = who === 'session' ? null : keySecret(request);
    const token = ofUser ? bearer(request) : null;
    const secrets = [key, token?.startsWith('spwu_') ? token : null].filter((secret) => secret !== null);
    const session = (ofUser && sessionSecretOf(request)) || null;
    if (secrets.length > 0 || session !== null)
      await this.#authenticator.failed?.({ address: request.ip, cookies: request.cookies, secrets, session });
    throw error;
  }

  /** Rejects a request with a session cookie from a page of another origin. */
  #sameOrigin(request: FastifyRequest): void {
    const { origin } = request.headers;
    if (safeMethods.has(request.method) || origin === undefined || sameOrigin(origin, this.#publicOrigin())) return;
    throw forbidden('This request comes from another origin; use the dashboard under its public URL (SPANWISE_PUBLIC_URL).');
  }
}

/** Whether an `Origin` header names the service's own origin. The names of the loopback address count as one origin. */
export function sameOrigin(given: string, own: string): boolean {
  const name = (origin: string) => origin.replace(/^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/, '$1loopback');
  return given === own || name(given) === name(own);
}

function projectInPath(request: FastifyRequest): string | null {
  if (!/^(\/v1)?\/projects\/:id(\/|$)/.test(request.routeOptions.url ?? '')) return null;
  return (request.params as { id?: string }).id ?? '';
}

function projectIdOf(request: FastifyRequest): unknown {
  const body = request.body as { projectId?: unknown } | null | undefined;
  if (request.method !== 'GET' && typeof body === 'object' && body !== null && body.projectId !== undefined)
    return body.projectId;
  return (request.query as { projectId?: unknown }).projectId;
}

/** The API key that a request sends, valid or not. */
function keySecret(request: FastifyRequest): string | null {
  const header = request.headers['x-api-key'];
  const secret = typeof header === 'string' ? header : bearer(request);
  return secret === null || secret === '' || secret.startsWith('spwu_') ? null : secret;
}

function bearer(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

function requirePermission(role: Role, needed: Needed | undefined): void {
  const lacked = lackedBy(role, needed);
  if (lacked) throw lacking(lacked);
}

/** The first of the permissions that the role does not have. */
function lackedBy(role: Role, needed: Needed | undefined): Permission | undefined {
  return [needed ?? []].flat().find((permission) => !roleHas(role, permission));
}

function lacking(needed: Needed): ServiceError {
  return forbidden(`Your role lacks the permission ${[needed].flat().join(' or ')}; ask an owner or admin of the organization.`);
}

function unseen(): ServiceError {
  return forbidden('There is no such project, or you are not a member of its organization.');
}
