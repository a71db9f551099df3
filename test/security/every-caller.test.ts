import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorStatuses } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { RouteTable } from '../../src/platform/http/route-table.ts';
import type { RouteEntry } from '../../src/platform/http/route-table.ts';
import { expectedRefusal, faultsOfDeclaration } from './expected-refusal.ts';
import { openTwoTenants } from './two-tenants.ts';
import type { Actor, TenantData, TwoTenants } from './two-tenants.ts';

// Every route of the running service, hidden ones too, is called by every kind of caller about the things of two tenants. What must be
// answered follows from the route's declared access by the rules of the contract; a new route is covered when it is mounted.

let world: TwoTenants;
/** A route with each of its methods that fetch() sends. */
let routes: Array<{ route: RouteEntry; method: string }>;

beforeAll(async () => {
  world = await openTwoTenants();
  routes = world.app.server.routeTable
    .entries()
    .flatMap((route) => route.methods.filter((method) => sendable.has(method)).map((method) => ({ route, method })));
});
afterAll(() => world.app.close());

const sendable = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const safe = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Parameters that say whose things a path is about; the others name one of them. */
const scopes = new Set(['id', 'orgId']);

interface Sent {
  parameters: Readonly<Record<string, string>>;
  query?: string;
  body?: string;
}

interface Answer {
  status: number;
  text: string;
  /** Body and headers, in lower case, without what the request itself said. */
  seen: string;
}

async function send(
  { route, method }: (typeof routes)[number],
  actor: Actor,
  { parameters, query = '', body }: Sent,
): Promise<Answer> {
  const path = filled(route.path, parameters);
  const answer = await fetch(`${world.app.url}${path}${query}`, {
    method,
    // A page of another origin: what acts on a cookie by itself, as signing out does, must refuse it.
    headers: {
      ...actor.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(route.access.who === 'public' ? { origin: 'https://elsewhere.example' } : {}),
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });
  const text = await answer.text();
  const seen = `${text}\n${[...answer.headers].flat().join('\n')}`.toLowerCase();
  return { status: answer.status, text, seen };
}

function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? `unknown-parameter-${name}`))
    .replace('*', 'index.html');
}

/** The names of a path's parameters that name a thing of a tenant. */
function namedThings({ path }: RouteEntry): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => !scopes.has(name));
}

/** A session says which project it means; a key ignores it. */
function projectOf(route: RouteEntry, tenant: TenantData): string {
  return route.access.who === 'key-or-session' && !route.path.includes('/projects/:id') ? `?projectId=${tenant.projectId}` : '';
}

/** What a caller saw of a tenant that is not theirs, or of a secret that nobody is shown. */
function leaks(answer: Answer, actor: Actor): string[] {
  const organizationId = actor.kind === 'nobody' ? null : actor.organizationId;
  return world.tenants.flatMap((tenant) => [
    ...(answer.seen.includes(tenant.secretMarker) ? [`a secret of the ${tenant.name}`] : []),
    ...(tenant.organizationId !== organizationId && answer.seen.includes(tenant.marker) ? [`data of the ${tenant.name}`] : []),
  ]);
}

function isErrorBody(answer: Answer): boolean {
  const { error, code } = JSON.parse(answer.text) as { error?: unknown; code?: unknown };
  return typeof error === 'string' && error !== '' && errorStatuses[code as ErrorCode] === answer.status;
}

/** Every call of a route about a tenant's things, and what was wrong with its answers. */
async function faultsOf(called: (typeof routes)[number], target: TenantData): Promise<string[]> {
  const { route, method } = called;
  const faults: string[] = [];
  for (const actor of [...world.nobodies, ...world.tenants.flatMap(({ actors }) => actors)]) {
    const refusal = wantedOf(route, actor, target);
    // Whatever else is wrong with a request, who may not call is told that first.
    const spoilt: Sent = {
      parameters: target.parameters,
      query: `${projectOf(route, target) || '?'}&limit=nonsense`,
      body: '{"no',
    };
    for (const [kind, sent] of [
      ['', wholeRequest(called, target, refusal)],
      [', spoilt', spoilt],
    ] as const) {
      if (kind !== '' && (refusal === null || safe.has(method))) continue;
      const answer = await send(called, actor, sent);
      const what = `${method} ${route.path} by ${actor.name}${kind}`;
      faults.push(...leaks(answer, actor).map((leak) => `${what} shows ${leak}`));
      if (refusal === null ? [401, 403].includes(answer.status) && !isLogin(route) : answer.status !== refusal)
        faults.push(`${what} answered ${answer.status}, not ${refusal ?? 'as to one who may'}: ${answer.text.slice(0, 200)}`);
      if (refusal === null && method === 'GET' && route.access.who !== 'public' && !readable.has(answer.status))
        faults.push(`${what} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
      if (refusal !== null && method !== 'HEAD' && !isErrorBody(answer)) faults.push(`${what} has no error body: ${answer.text}`);
    }
  }
  return faults;
}

/** What one who may read is answered: 400 where the route needs a query of its own. */
const readable = new Set([200, 400]);

function isLogin({ path }: RouteEntry): boolean {
  return path === '/v1/auth/login';
}

function wantedOf(route: RouteEntry, actor: Actor, target: TenantData): number | null {
  if (route.access.who === 'public' && route.access.byCookie && 'cookie' in actor.headers) return 403;
  return expectedRefusal(route, actor, target);
}

/** A request that changes nothing when it is allowed: it reads, or it is about a thing that nobody has. */
function wholeRequest({ route, method }: (typeof routes)[number], target: TenantData, refusal: number | null): Sent {
  const query = projectOf(route, target);
  if (safe.has(method)) return { parameters: target.parameters, query };
  if (refusal !== null) return { parameters: target.parameters, query, body: '{}' };
  const nobodys = Object.fromEntries(namedThings(route).map((name) => [name, randomUUID()]));
  return { parameters: { ...target.parameters, ...nobodys }, query, body: '{"noSuchField":true}' };
}

test('every route declares who may call it, and what the contract says', () => {
  expect(routes.length).toBeGreaterThan(70);
  expect(routes.flatMap(({ route }) => faultsOfDeclaration(route))).toEqual([]);
  const table = new RouteTable();
  expect(() => table.add({ method: 'GET', url: '/v1/new', path: '/v1/new', handler: () => undefined })).toThrow(
    /declares no access/,
  );
});

test('the oracle and the search for markers find what is wrong', async () => {
  const [first, second] = world.tenants;
  const open: RouteEntry = { path: '/v1/new', methods: ['POST'], access: { who: 'public' } };
  expect(faultsOfDeclaration(open)).toEqual(['POST /v1/new is open to anybody']);
  const reader: RouteEntry = { ...open, access: { who: 'key-or-session', permission: 'dashboard:read' } };
  expect(faultsOfDeclaration(reader)).toEqual(['POST /v1/new changes something with dashboard:read']);
  const list = routes.find(({ route, method }) => method === 'GET' && route.path === '/v1/projects/:id/traces');
  if (!list) throw new Error('no list of traces');
  const answer = await send(list, first.owner, { parameters: first.parameters });
  expect(leaks(answer, first.owner)).toEqual([]);
  expect(leaks(answer, second.owner)).toEqual([`data of the ${first.name}`]);
});

test('each tenant reads what it stored, of every kind', async () => {
  for (const tenant of world.tenants) {
    const blind: string[] = [];
    for (const called of routes.filter(({ route, method }) => method === 'GET' && holdsTenantsData(route))) {
      const query = `${projectOf(called.route, tenant) || '?'}&runs=${tenant.parameters['runId']},${tenant.parameters['runId']}`;
      const answer = await send(called, tenant.owner, { parameters: tenant.parameters, query });
      if (answer.status !== 200 || !answer.seen.includes(tenant.marker))
        blind.push(`${called.route.path}: ${answer.status} ${answer.text}`);
    }
    // Else a search for another tenant's marker there would prove nothing.
    expect(blind).toEqual([]);
  }
});

/** What answers a tenant's texts: all that takes a session but figures, checks and what is about the installation. */
function holdsTenantsData({ path, access }: RouteEntry): boolean {
  return (
    (access.who === 'session' || access.who === 'key-or-session') &&
    !/(\/verify|\/ingest-health|\/frameworks|\/metrics)$/.test(path)
  );
}

describe.each([0, 1] as const)('about the things of tenant %i', (index) => {
  test('every caller is answered as the contract says, and sees nothing of another tenant', { timeout: 180_000 }, async () => {
    const faults: string[] = [];
    for (const called of routes) faults.push(...(await faultsOf(called, world.tenants[index])));
    expect(faults).toEqual([]);
  });

  test("a path of one's own that names another's thing is 404", async () => {
    const own = world.tenants[index];
    const other = world.tenants[1 - index] ?? own;
    const faults: string[] = [];
    for (const called of routes) {
      for (const swapped of namedThings(called.route)) {
        for (const actor of [own.owner, own.key]) {
          if (expectedRefusal(called.route, actor, own) !== null) continue;
          const parameters = { ...own.parameters, [swapped]: other.parameters[swapped] ?? '' };
          const body = safe.has(called.method) ? {} : { body: '{}' };
          const answer = await send(called, actor, { parameters, query: projectOf(called.route, own), ...body });
          const what = `${called.method} ${called.route.path} with the other's ${swapped} by ${actor.name}`;
          const told = withoutEcho(answer, parameters[swapped] ?? '');
          faults.push(...leaks(told, actor).map((leak) => `${what} shows ${leak}`));
          // Figures of a name come from the project's own calls alone: of another's model found is false, as published.
          const wanted = swapped === 'model' || called.route.path.endsWith('/metrics') ? 200 : 404;
          if (answer.status !== wanted) faults.push(`${what} answered ${answer.status}: ${answer.text}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });
});

/** A name that the caller sent comes back in some answers. */
function withoutEcho(answer: Answer, said: string): Answer {
  return { ...answer, seen: answer.seen.replaceAll(said.toLowerCase(), '') };
}

test("another tenant's things named in a query or a body are not there", async () => {
  const [own, other] = world.tenants;
  const query = `projectId=${own.projectId}`;
  const dataset = `/v1/datasets/${own.parameters['datasetId']}`;
  const { traceId, itemId, runId, connectionId, name, evaluatorId } = other.parameters;
  const ofProject = `/v1/projects/${own.projectId}`;
  const judge = { connectionId, model: 'm', instructions: 'How good?', scale: [0, 1] };
  const calls: Array<[method: string, path: string, body: unknown, statuses: number[]]> = [
    ['GET', `/v1/datasets?projectId=${other.projectId}`, undefined, [403]],
    ['GET', `/v1/prompts?projectId=${other.projectId}`, undefined, [403]],
    ['POST', '/v1/prompts', { name: 'p', prompt: 'x', projectId: other.projectId }, [403]],
    ['POST', '/v1/datasets', { name: 'd', projectId: other.projectId }, [403]],
    ['GET', `/v1/prompts?${query}&name=${encodeURIComponent(name ?? '')}`, undefined, [404]],
    ['POST', `/v1/prompts?${query}`, { name: 'refers', prompt: `{{> ${name} }}` }, [400]],
    ['POST', `${dataset}/items?${query}`, { source: { traceId } }, [404]],
    [
      'POST',
      `${dataset}/runs/${own.parameters['runId']}/items?${query}`,
      { items: [{ datasetItemId: itemId, output: 1 }] },
      [400, 404],
    ],
    ['GET', `${dataset}/runs/compare?${query}&runs=${own.parameters['runId']},${runId}`, undefined, [404]],
    ['GET', `${dataset}/items?${query}&after=${itemId}`, undefined, [200, 400, 404]],
    ['POST', `${ofProject}/evaluators`, { slug: 'spy', type: 'llm_judge', config: judge }, [400, 404]],
    ['GET', `${ofProject}/evaluations?evaluatorId=${evaluatorId}`, undefined, [200, 400, 404]],
    ['GET', `${ofProject}/traces?q=${other.marker}`, undefined, [200]],
    ['GET', `${ofProject}/traces?session=session-${other.marker}`, undefined, [200]],
  ];
  for (const [method, path, body, statuses] of calls) {
    const answer = await fetch(`${world.app.url}${path}`, {
      method,
      headers: { ...own.owner.headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(statuses, `${method} ${path}: ${text}`).toContain(answer.status);
    expect(text.replaceAll(name ?? '', ''), `${method} ${path}`).not.toContain(other.marker);
  }
});
