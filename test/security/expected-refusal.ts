import { roleHas } from '../../src/contract/permissions.ts';
import type { RouteEntry } from '../../src/platform/http/route-table.ts';
import type { Actor, TenantData } from './two-tenants.ts';

/**
 * What the contract (sections 1 and 2) says of an actor who calls a route about a tenant's things: the status of the refusal, or null when
 * the call is allowed. An oracle of its own: it shares nothing with the access check but the table of roles.
 */
export function expectedRefusal({ path, access }: RouteEntry, actor: Actor, target: TenantData): 401 | 403 | 404 | null {
  switch (access.who) {
    case 'public':
      return null;
    case 'key':
      return actor.kind === 'key' ? null : 401;
    case 'session':
      if (actor.kind !== 'user') return access.anonymous ?? 403;
      if (access.scope === 'user') return null;
      // Everybody here belongs to one organisation.
      if (access.scope !== 'any-organization' && actor.organizationId !== target.organizationId) return 403;
      return access.permission && !roleHas(actor.role, access.permission) ? 403 : null;
    case 'key-or-session':
      if (actor.kind === 'nobody') return 401;
      if (actor.kind === 'key') {
        const own = actor.projectId === target.projectId;
        // Without a project in its path the route is about the key's own; what is named there is not in it.
        return own || !path.includes('/:') ? null : 404;
      }
      if (actor.organizationId !== target.organizationId) return 403;
      return access.permission && !roleHas(actor.role, access.permission) ? 403 : null;
  }
}

interface Family {
  paths: RegExp;
  who: RouteEntry['access']['who'];
  /** What changes something needs; reading is dashboard:read where nothing else is said. */
  writing?: string;
  reading?: string;
}

/** Who calls what, as contract section 2 and the sections of the features say it; the first that fits counts. */
const families: readonly Family[] = [
  { paths: /^\/v1\/projects\/:id\/(models|blast-radius|graph|outcomes)(\/|$)/, who: 'session' },
  { paths: /^\/v1\/projects\/:id\/model-lifecycle(\/|$)/, who: 'session', writing: 'alerts:manage' },
  { paths: /^\/v1\/compliance(\/|$)/, who: 'session', reading: 'compliance:read' },
  { paths: /^\/v1\/projects\/:id\/evidence-packs/, who: 'session', reading: 'compliance:read', writing: 'compliance:generate' },
  { paths: /^\/v1\/(projects\/:id|organizations\/:orgId)\/policies/, who: 'session', reading: 'policy:read' },
  { paths: /^\/v1\/projects\/:id\/api-keys/, who: 'session', reading: 'keys:manage', writing: 'keys:manage' },
  { paths: /^\/v1\/organizations\/:orgId\/audit-log/, who: 'session', reading: 'audit:read', writing: 'audit:read' },
  { paths: /^\/v1\/(ingest|traces)$/, who: 'key' },
  { paths: /^\/v1\/sdk\//, who: 'key' },
  { paths: /^\/v1\/prompts/, who: 'key-or-session', writing: 'prompts:manage' },
  { paths: /^\/v1\/datasets/, who: 'key-or-session', writing: 'datasets:manage' },
  { paths: /^\/v1\/projects\/:id\/(evaluators|scores)/, who: 'key-or-session', writing: 'evaluations:manage' },
];

/** Unsafe methods that change nothing of a tenant's: they judge what they are given. */
const judging = /\/(validate|plan|check|gate)$/;
/** Anybody: signing in and out, health, the interface's own description, the signals that are not taken, and the dashboard's files. */
const open = /^\/(healthz|readyz|metrics|v1\/openapi\.json|v1\/auth\/(login|logout)|v1\/(metrics|logs))$/;
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a route's declared access breaks of the contract, one sentence each. What no rule knows must be closed to the public. */
export function faultsOfDeclaration({ path, methods, access }: RouteEntry): string[] {
  const route = `${methods.join('|')} ${path}`;
  const reading = methods.every((method) => reads.has(method));
  if (access.who === 'public') {
    return open.test(path) || (reading && !path.startsWith('/v1')) ? [] : [`${route} is open to anybody`];
  }
  const faults: string[] = [];
  const permission = 'permission' in access ? access.permission : undefined;
  const personal = access.who === 'key' || (access.who === 'session' && access.scope === 'user');
  if (!reading && !personal && !judging.test(path)) {
    if (permission === undefined) faults.push(`${route} changes something and needs no permission`);
    else if (permission.endsWith(':read') && permission !== 'audit:read')
      faults.push(`${route} changes something with ${permission}`);
  }
  const family = families.find(({ paths }) => paths.test(path));
  if (family && access.who !== family.who) faults.push(`${route} is for ${access.who}, not for ${family.who}`);
  const wanted = reading ? (family?.reading ?? (family && family.who !== 'key' ? 'dashboard:read' : undefined)) : family?.writing;
  if (wanted !== undefined && permission !== wanted) faults.push(`${route} needs ${permission ?? 'nothing'}, not ${wanted}`);
  return faults;
}
