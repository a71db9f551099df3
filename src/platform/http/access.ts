import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import type { Permission, Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';

/**
 * Which callers a route accepts (docs/semantics.md, "Callers"). Every route declares it in `config.access`; a route without it stops the
 * startup (default deny).
 *
 * - `public`: no authentication. `byCookie`: the route uses the session cookie all the same (logout), so pages of other origins are refused.
 *   `whoever`: it also works without a caller, but looks up who is signed in, by session or personal token.
 * - `key`: a project API key; anything else is 401.
 * - `session`: a dashboard session or a personal token; an API key or no credentials is 403 before any other check,
 *   except where `anonymous` says 401. `scope` says where the permission is looked up: the project of `/v1/projects/{id}`,
 *   the organization of `/v1/organizations/{orgId}` (slug or id), any of the user's organizations, or the user alone. With `tokens: false`
 *   a personal token is 403 too. In an organization with `orSelf`, users need no permission where `userId` of the path names them.
 * - `key-or-session`: either; neither is 401. A key carries its project; a session takes it from `/v1/projects/{id}` or from
 *   `projectId` (query on GET, body or query otherwise) and needs `permission`. With `cookies: false` a session's cookie counts for nothing.
 *
 * A route for keys says in `keyScopes` what keys with scopes may call it; without it they are 403.
 */
export type Access =
  | { who: 'public'; byCookie?: boolean; whoever?: boolean }
  | ({ who: 'key' } & ByKey)
  | {
      who: 'session';
      scope: 'project' | 'organization' | 'any-organization' | 'user';
      /** Every one of several. */
      permission?: Permission | readonly Permission[];
      /** In a project: this role needs no permission. */
      orRole?: Role;
      orSelf?: boolean;
      anonymous?: 401 | 403;
      /** Whether personal tokens are accepted; default true. */
      tokens?: boolean;
    }
  | ({
      who: 'key-or-session';
      permission?: Permission;
      /** Whether the cookie of the dashboard is accepted; default true. */
      cookies?: boolean;
    } & ByKey);

/**
 * What of an API key's scopes is needed (docs/semantics.md, "Scopes of API keys"): one of a list, of which the first is the narrowest; `any`: whatever the scopes
 * are; `none`: a key without scopes, on purpose.
 */
export type KeyScopes = readonly [ApiKeyScope, ...ApiKeyScope[]] | 'any' | 'none';

interface ByKey {
  keyScopes?: KeyScopes;
  /** The scope depends on what the request asks for: the route checks it again (`requireScope`), and notes its use. */
  scopeByAction?: boolean;
}

/** The project, and its organization, that a request may use. */
export interface Tenant {
  organizationId: string;
  projectId: string;
  plan: Plan;
}

export type Caller =
  | {
      kind: 'key';
      keyId: string;
      keyName: string;
      keyPrefix: string;
      projectId: string;
      projectName: string;
      organizationId: string;
      organizationSlug: string;
      plan: Plan;
      /** null: everything that keys may do. */
      scopes: readonly ApiKeyScope[] | null;
    }
  | { kind: 'user'; userId: string; email: string; name: string; via: 'session' | 'token'; sessionId: string | null };

/** The result of the access check, on the request. */
export interface RequestAccess {
  /** null on public routes without credentials. */
  caller: Caller | null;
  /** Set on project-scoped routes. */
  tenant: Tenant | null;
  /** The role of a user in the organization of `tenant`; null for a key. */
  role: Role | null;
  /** Set on organization-scoped routes: the resolved organization and the caller's role in it. */
  organization: { id: string; slug: string; plan: Plan; role: Role } | null;
  /** Notes that the key has used a scope; null unless the caller is a key. */
  noteScope: ((scope: ApiKeyScope) => void) | null;
}

/** A request whose credentials are not valid. */
export interface FailedRequest {
  /** The client's. */
  address: string;
  cookies: Readonly<Record<string, string | undefined>>;
  /** Its key and token, where the route looks at them; not valid. */
  secrets: readonly string[];
  /** The secret of its session, where the route looks at it; not valid. */
  session: string | null;
}

/** The port through which platform/http looks up callers; implemented by features/identity. */
export interface Authenticator {
  /** By `x-api-key` or `Authorization: Bearer spw_...`; null when missing, malformed, unknown, revoked or expired. */
  byApiKey(secret: string): Promise<Extract<Caller, { kind: 'key' }> | null>;
  /** Notes that a key has used a scope. Does not wait. */
  scopeUsed?(keyId: string, scope: ApiKeyScope): void;
  /** By `Authorization: Bearer spwu_...`. */
  byToken(secret: string): Promise<Extract<Caller, { kind: 'user' }> | null>;
  /** By the session cookie; slides its expiry. */
  bySession(secret: string): Promise<Extract<Caller, { kind: 'user' }> | null>;
  /**
   * Counts a request whose credentials are not valid (docs/semantics.md, "Failed credentials"). Without it nothing limits them.
   *
   * Errors: `rate_limited` after too many of its address.
   */
  failed?(request: FailedRequest): Promise<void>;
  /** The user's role in the project's organization; null when there is no such project or no membership. */
  projectFor(userId: string, projectId: string): Promise<{ tenant: Tenant; role: Role } | null>;
  /** The user's role in an organization given by slug or id; null when there is none or no membership. */
  organizationFor(userId: string, slugOrId: string): Promise<{ id: string; slug: string; plan: Plan; role: Role } | null>;
  /** The roles that the user holds in any organization. */
  rolesOf(userId: string): Promise<readonly Role[]>;
}
