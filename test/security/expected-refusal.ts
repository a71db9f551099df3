import type { Permission, Role } from '../../src/contract/permissions.ts';
import type { RouteEntry } from '../../src/platform/http/route-table.ts';
import type { Actor, TenantData } from './two-tenants.ts';

/** The weakest role that holds each permission: docs/semantics.md, "Roles and permissions". */
const weakestRole: Readonly<Record<Permission, Role>> = {
  'dashboard:read': 'viewer',
  'policy:read': 'viewer',
  'prompts:manage': 'member',
  'datasets:manage': 'member',
  'evaluations:manage': 'member',
  'alerts:manage': 'member',
  'simulations:manage': 'member',
  'views:manage': 'member',
  'dashboards:manage': 'member',
  'comments:write': 'member',
  'shares:manage': 'member',
  'issues:manage': 'member',
  'compliance:read': 'member',
  'guardrails:manage': 'admin',
  'environments:manage': 'admin',
  'incidents:manage': 'admin',
  'compliance:generate': 'admin',
  'policy:apply': 'admin',
  'keys:manage': 'admin',
  'members:manage': 'admin',
  'audit:read': 'admin',
  'traces:delete': 'admin',
  'connections:manage': 'admin',
  'exports:manage': 'admin',
  'organization:manage': 'owner',
};
const weakestFirst: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

function roleHas(role: Role, needed: Permission | readonly Permission[]): boolean {
  return [needed].flat().every((permission) => weakestFirst.indexOf(role) >= weakestFirst.indexOf(weakestRole[permission]));
}

/**
 * The status with which `actor` is refused on a route about the things of `target`, null when the call is allowed:
 * docs/semantics.md, "Access". An oracle: it takes a route's declared access as given and imports only types of the service.
 */
export function expectedRefusal({ path, access }: RouteEntry, actor: Actor, target: TenantData): 401 | 403 | 404 | null {
  switch (access.who) {
    case 'public':
      return null;
    case 'key':
      return actor.kind === 'key' ? null : 401;
    case 'session':
      if (actor.kind !== 'user') return access.anonymous ?? 403;
      if (access.tokens === false && 'authorization' in actor.headers) return 403;
      if (access.scope === 'user') return null;
      // Every user of the tests is a member of one organization.
      if (access.scope !== 'any-organization' && actor.organizationId !== target.organizationId) return 403;
      if (actor.role === access.orRole) return null;
      return access.permission && !roleHas(actor.role, access.permission) ? 403 : null;
    case 'key-or-session':
      if (actor.kind === 'anonymous' || (access.cookies === false && 'cookie' in actor.headers)) return 401;
      if (actor.kind === 'key') {
        const own = actor.projectId === target.projectId;
        // Without a project in its path the route is about the key's project, which does not hold what the path names.
        return own || !path.includes('/:') ? null : 404;
      }
      if (actor.organizationId !== target.organizationId) return 403;
      return access.permission && !roleHas(actor.role, access.permission) ? 403 : null;
  }
}

interface Family {
  paths: RegExp;
  who: RouteEntry['access']['who'];
  /** Who may call methods that change something; default `who`. */
  writingBy?: RouteEntry['access']['who'];
  /** The permission for methods that change something. */
  writing?: string | readonly string[];
  /** The permission for other methods; default `dashboard:read`. */
  reading?: string;
}

/** Callers and permissions of routes: docs/semantics.md, "Callers". The first entry that matches counts. */
const families: readonly Family[] = [
  { paths: /^\/v1\/projects\/:id\/(models|blast-radius|graph|outcomes)(\/|$)/, who: 'session' },
  { paths: /^\/v1\/projects\/:id\/model-lifecycle(\/|$)/, who: 'session', writing: 'alerts:manage' },
  { paths: /^\/v1\/projects\/:id\/prices(\/|$)/, who: 'session', writing: 'organization:manage' },
  { paths: /^\/v1\/projects\/:id\/model-connections(\/|$)/, who: 'session', writing: 'connections:manage' },
  { paths: /^\/v1\/projects\/:id\/traces(\/:traceId)?$/, who: 'key-or-session', writingBy: 'session', writing: 'traces:delete' },
  {
    paths: /^\/v1\/projects\/:id\/(traces\/:traceId\/)?shares(\/|$)/,
    who: 'key-or-session',
    writingBy: 'session',
    writing: 'shares:manage',
  },
  { paths: /^\/v1\/projects\/:id\/users(\/|$)/, who: 'key-or-session', writingBy: 'session', writing: 'traces:delete' },
  { paths: /^\/v1\/projects\/:id\/mapping\/preview$/, who: 'key-or-session', writing: 'dashboard:read' },
  { paths: /^\/v1\/projects\/:id\/views(\/|$)/, who: 'key-or-session', writingBy: 'session', writing: 'dashboard:read' },
  { paths: /^\/v1\/projects\/:id\/alerts(\/|$)/, who: 'key-or-session', writingBy: 'session', writing: 'alerts:manage' },
  {
    paths: /^\/v1\/projects\/:id\/incidents\/:incidentId\/fix-proposals/,
    who: 'key-or-session',
    writingBy: 'session',
    writing: ['incidents:manage', 'prompts:manage'],
  },
  { paths: /^\/v1\/projects\/:id\/incidents(\/|$)/, who: 'key-or-session', writingBy: 'session', writing: 'incidents:manage' },
  { paths: /^\/v1\/compliance(\/|$)/, who: 'session', reading: 'compliance:read' },
  {
    paths: /^\/v1\/projects\/:id\/evidence-packs\/verify$/,
    who: 'session',
    reading: 'compliance:read',
    writing: 'compliance:read',
  },
  { paths: /^\/v1\/projects\/:id\/evidence-packs/, who: 'session', reading: 'compliance:read', writing: 'compliance:generate' },
  { paths: /^\/v1\/(projects\/:id|organizations\/:orgId)\/policies/, who: 'session', reading: 'policy:read' },
  { paths: /^\/v1\/projects\/:id\/api-keys/, who: 'session', reading: 'keys:manage', writing: 'keys:manage' },
  { paths: /^\/v1\/organizations\/:orgId\/audit-log/, who: 'session', reading: 'audit:read', writing: 'audit:read' },
  { paths: /^\/v1\/(ingest|ingest\/outcomes|traces)$/, who: 'key' },
  { paths: /^\/v1\/sdk\//, who: 'key' },
  { paths: /^\/v1\/prompts/, who: 'key-or-session', writing: 'prompts:manage' },
  { paths: /^\/v1\/datasets/, who: 'key-or-session', writing: 'datasets:manage' },
  { paths: /^\/v1\/projects\/:id\/comments(\/|$)/, who: 'session', writing: 'comments:write' },
  { paths: /^\/v1\/projects\/:id\/(evaluators|scores)(\/|$)/, who: 'key-or-session', writing: 'evaluations:manage' },
];

/**
 * Routes whose unsafe methods check their input and change nothing, and those that check the permission themselves: MCP, whose tools need several; selections and
 * jobs, where the action decides; and saved views: everyone has private ones, and test/api/views.test.ts proves what those of the project need.
 */
const checking =
  /\/(validate|plan|check|gate|verify|mapping\/preview|filter-suggestions|query)$|^\/mcp$|^\/v1\/projects\/:id\/(selections|jobs\/:jobId\/cancel)$|\/views(\/:viewId)?$/;
/** Public routes: sign-in and sign-out, links of invitations and lost passwords, shared links, health, the OpenAPI document, the schema of policy files, and the OTLP signals that are not implemented. */
const open =
  /^\/(healthz|readyz|metrics|v1\/openapi\.json|v1\/policies\/schema\.json|v1\/auth\/(login|logout|forgot|reset)|v1\/invitations\/(look-up|accept)|v1\/shares\/:token|v1\/(metrics|logs))$/;
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Violations of docs/semantics.md, "Callers", in a route's declared access, one sentence each. A route without a rule must not be public. */
export function faultsOfDeclaration({ path, methods, access }: RouteEntry): string[] {
  const route = `${methods.join('|')} ${path}`;
  const reading = methods.every((method) => reads.has(method));
  if (access.who === 'public') {
    // 405: there is no session of MCP to read or to end.
    const refused = path === '/mcp' && !methods.includes('POST');
    return refused || open.test(path) || (reading && !path.startsWith('/v1')) ? [] : [`${route} is public`];
  }
  const faults: string[] = [];
  const permission = [('permission' in access ? access.permission : undefined) ?? []].flat();
  const personal = access.who === 'key' || (access.who === 'session' && access.scope === 'user');
  if (!reading && !personal && !checking.test(path)) {
    if (permission.length === 0) faults.push(`${route} changes something without a permission`);
    else if (permission.every((one) => one.endsWith(':read') && one !== 'audit:read'))
      faults.push(`${route} changes something with ${permission.join()}`);
  }
  const family = families.find(({ paths }) => paths.test(path));
  const who = reading ? family?.who : (family?.writingBy ?? family?.who);
  if (who && access.who !== who) faults.push(`${route} is for ${access.who}, not for ${who}`);
  const wanted = reading ? (family?.reading ?? (family && family.who !== 'key' ? 'dashboard:read' : undefined)) : family?.writing;
  if (wanted !== undefined && permission.join() !== [wanted].flat().join())
    faults.push(`${route} needs ${permission.join() || 'nothing'}, not ${wanted}`);
  return faults;
}
