import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorStatuses } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { RouteTable } from '../../src/platform/http/route-table.ts';
import type { RouteEntry } from '../../src/platform/http/route-table.ts';
import { isNightly } from '../support/runs.ts';
import type { Operation } from './answer-fault.ts';
import { knownRequests } from './known-requests.ts';
import { readOperations, undeclaredNames } from './operations.ts';
import { expectedRefusal, faultsOfDeclaration } from './expected-refusal.ts';
import { fromNewAddress, openTwoTenants } from './two-tenants.ts';
import type { Actor, TenantData, TwoTenants } from './two-tenants.ts';

// Calls every mounted route, also those outside the OpenAPI document, as every kind of caller, with the objects of two tenants. The
// expected status follows from the route's declared access by docs/semantics.md, "Access".
// A new route is included when it is mounted.

let world: TwoTenants;
let operations: Operation[];
/** Each route with each of its methods that a client can send. */
let routes: Array<{ route: RouteEntry; method: string }>;

beforeAll(async () => {
  world = await openTwoTenants();
  operations = await readOperations(world.app.url);
  routes = world.app.server.routeTable
    .entries()
    .flatMap((route) => route.methods.filter((method) => sendable.has(method)).map((method) => ({ route, method })));
});
afterAll(() => world.app.close());

const sendable = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const safe = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Path parameters that name a project or organization; the others name an object in it. */
const scopes = new Set(['id', 'orgId']);

interface Sent {
  parameters: Readonly<Record<string, string>>;
  query?: string;
  body?: string;
}

interface Answer {
  status: number;
  text: string;
  /** Body and headers in lower case. */
  seen: string;
}

async function send(
  { route, method }: (typeof routes)[number],
  actor: Actor,
  { parameters, query = '', body }: Sent,
): Promise<Answer> {
  const path = filled(route.path, parameters);
  // Thousands of requests: fetch() takes several times as long, and asks for compressed answers.
  const answer = await request(`${world.app.url}${path}${query}`, {
    method: method as Dispatcher.HttpMethod,
    // Public routes that act on a cookie, such as sign-out, must refuse another origin.
    headers: {
      ...fromNewAddress(),
      ...actor.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(route.access.who === 'public' ? { origin: 'https://elsewhere.example' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  const seen = `${text}\n${Object.entries(answer.headers).flat(2).join('\n')}`.toLowerCase();
  return { status: answer.statusCode, text, seen };
}

function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? `unknown-parameter-${name}`))
    .replace('*', 'index.html');
}

/** The path parameters that name an object of a tenant. */
function objectParameters({ path }: RouteEntry): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => !scopes.has(name));
}

/** The query with which a session names its project; a key ignores it. */
function projectOf(route: RouteEntry, tenant: TenantData): string {
  return route.access.who === 'key-or-session' && !route.path.includes('/projects/:id') ? `?projectId=${tenant.projectId}` : '';
}

/** The query of a valid request: the project of a session, and the parameters that the operation requires (known-requests.ts). */
function queryFor({ route, method }: (typeof routes)[number], tenant: TenantData): string {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = operations.find((one) => one.path === path && one.method === (method === 'HEAD' ? 'GET' : method));
  const required = operation?.parameters.some((one) => one.in === 'query' && one.required === true);
  const known = required ? knownRequests(tenant.parameters)[`${operation?.method} ${path}`]?.query : undefined;
  return `${projectOf(route, tenant) || '?'}&${new URLSearchParams(known)}`;
}

/** Data of other tenants, and secrets of any tenant, in an answer. */
function leaks(answer: Answer, actor: Actor): string[] {
  const organizationId = actor.kind === 'anonymous' ? null : actor.organizationId;
  return world.tenants.flatMap((tenant) => [
    ...(answer.seen.includes(tenant.secretMarker) ? [`a secret of the ${tenant.name}`] : []),
    ...(tenant.organizationId !== organizationId && answer.seen.includes(tenant.marker) ? [`data of the ${tenant.name}`] : []),
  ]);
}

function isErrorBody(answer: Answer): boolean {
  const { error, code } = JSON.parse(answer.text) as { error?: unknown; code?: unknown };
  return typeof error === 'string' && error !== '' && errorStatuses[code as ErrorCode] === answer.status;
}

/**
 * Calls a route with a tenant's objects; describes each wrong answer.
 *
 * @param callers all of them, or the first of each kind in the tenant and outside of it that is to be answered alike
 */
async function faultsOf(
  called: (typeof routes)[number],
  target: TenantData,
  callers: 'every' | 'first of a kind',
): Promise<string[]> {
  const { route, method } = called;
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const actor of [...world.anonymous, ...world.tenants.flatMap(({ actors }) => actors)]) {
    const refusal = wantedOf(route, actor, target);
    // HEAD runs the checks and the handler of GET, which every caller calls; one caller of a kind stands for the others.
    const isInside = actor.kind !== 'anonymous' && actor.organizationId === target.organizationId;
    const alike = `${refusal} ${actor.kind} ${isInside}`;
    const isFirst = !seen.has(alike);
    seen.add(alike);
    if ((method === 'HEAD' || callers !== 'every') && !isFirst) continue;
    // A refusal comes before the validation of the request: docs/semantics.md, "Order of checks".
    const invalid: Sent = {
      parameters: target.parameters,
      query: `${projectOf(route, target) || '?'}&limit=nonsense`,
      body: '{"no',
    };
    for (const [kind, sent] of [
      ['', validRequest(called, target, refusal)],
      [', invalid', invalid],
    ] as const) {
      if (kind !== '' && (refusal === null || safe.has(method) || !isFirst)) continue;
      const answer = await send(called, actor, sent);
      const what = `${method} ${route.path} by ${actor.name}${kind}`;
      faults.push(...leaks(answer, actor).map((leak) => `${what} shows ${leak}`));
      if (refusal === null ? [401, 403].includes(answer.status) && !isLogin(route) : answer.status !== refusal)
        faults.push(
          `${what} answered ${answer.status}, not ${refusal ?? 'as to an allowed caller'}: ${answer.text.slice(0, 200)}`,
        );
      if (refusal === null && method === 'GET' && route.access.who !== 'public' && answer.status !== 200)
        faults.push(`${what} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
      if (refusal !== null && method !== 'HEAD' && !isErrorBody(answer)) faults.push(`${what} has no error body: ${answer.text}`);
    }
  }
  return faults;
}

function isLogin({ path }: RouteEntry): boolean {
  return path === '/v1/auth/login';
}

function wantedOf(route: RouteEntry, actor: Actor, target: TenantData): number | null {
  if (route.access.who === 'public' && route.access.byCookie && 'cookie' in actor.headers) return 403;
  return expectedRefusal(route, actor, target);
}

/** A request that changes nothing when it is allowed: it reads, or it names objects that do not exist. */
function validRequest(called: (typeof routes)[number], target: TenantData, refusal: number | null): Sent {
  const { route, method } = called;
  const query = queryFor(called, target);
  if (safe.has(method)) return { parameters: target.parameters, query };
  if (refusal !== null) return { parameters: target.parameters, query, body: '{}' };
  const missing = Object.fromEntries(objectParameters(route).map((name) => [name, randomUUID()]));
  return { parameters: { ...target.parameters, ...missing }, query, body: '{"noSuchField":true}' };
}

test('every route declares the access of docs/semantics.md', () => {
  expect(routes.length).toBeGreaterThan(70);
  expect(routes.flatMap(({ route }) => faultsOfDeclaration(route))).toEqual([]);
  const table = new RouteTable();
  expect(() => table.add({ method: 'GET', url: '/v1/new', path: '/v1/new', handler: () => undefined })).toThrow(
    /declares no access/,
  );
});

test('wrong declarations and leaks are found', async () => {
  const [first, second] = world.tenants;
  const open: RouteEntry = { path: '/v1/new', methods: ['POST'], access: { who: 'public' } };
  expect(faultsOfDeclaration(open)).toEqual(['POST /v1/new is public']);
  const reader: RouteEntry = { ...open, access: { who: 'key-or-session', permission: 'dashboard:read' } };
  expect(faultsOfDeclaration(reader)).toEqual(['POST /v1/new changes something with dashboard:read']);
  const list = routes.find(({ route, method }) => method === 'GET' && route.path === '/v1/projects/:id/traces');
  if (!list) throw new Error('no list of traces');
  const answer = await send(list, first.owner, { parameters: first.parameters });
  expect(leaks(answer, first.owner)).toEqual([]);
  expect(leaks(answer, second.owner)).toEqual([`data of the ${first.name}`]);
});

test('each tenant reads its objects of every kind', async () => {
  for (const tenant of world.tenants) {
    const withoutMarker: string[] = [];
    for (const called of routes.filter(({ route, method }) => method === 'GET' && returnsTenantTexts(route))) {
      const query = queryFor(called, tenant);
      expect(undeclaredNames(operations, called.method, `${filled(called.route.path, tenant.parameters)}${query}`)).toEqual([]);
      const answer = await send(called, tenant.owner, { parameters: tenant.parameters, query });
      if (answer.status !== 200 || !answer.seen.includes(tenant.marker))
        withoutMarker.push(`${called.route.path}: ${answer.status} ${answer.text}`);
    }
    // Without its own marker in an answer, the search for another tenant's marker there proves nothing.
    expect(withoutMarker).toEqual([]);
  }
});

/** Routes whose answers hold no text that a tenant stored. */
const withoutTexts =
  /(\/verify|\/distributions|\/ingest-health|\/frameworks|\/metrics|\/trace-counts|\/span-counts|\/filter-fields|\/query-fields|\/impact|\/shares)$/;

/** Whether answers hold texts of a tenant: routes that take a session. */
function returnsTenantTexts({ path, access }: RouteEntry): boolean {
  return (access.who === 'session' || access.who === 'key-or-session') && !withoutTexts.test(path);
}

describe.each([0, 1] as const)('objects of tenant %i', (index) => {
  test('callers get the expected status and no data of another tenant', { timeout: 600_000 }, async () => {
    const faults: string[] = [];
    // The tenants have the same objects and callers: what each caller is answered is shown with those of the first one.
    const callers = index === 0 || isNightly ? 'every' : 'first of a kind';
    for (const called of routes) faults.push(...(await faultsOf(called, world.tenants[index], callers)));
    expect(faults).toEqual([]);
  });

  test("a path of the own project with another tenant's object is 404", async () => {
    const own = world.tenants[index];
    const other = world.tenants[1 - index] ?? own;
    const faults: string[] = [];
    for (const called of routes) {
      for (const swapped of objectParameters(called.route)) {
        for (const actor of [own.owner, own.key]) {
          if (expectedRefusal(called.route, actor, own) !== null) continue;
          const parameters = { ...own.parameters, [swapped]: other.parameters[swapped] ?? '' };
          const body = safe.has(called.method) ? {} : { body: '{}' };
          const answer = await send(called, actor, { parameters, query: queryFor(called, own), ...body });
          const what = `${called.method} ${called.route.path} with the other tenant's ${swapped} by ${actor.name}`;
          const shown = withoutEcho(answer, parameters[swapped] ?? '');
          faults.push(...leaks(shown, actor).map((leak) => `${what} shows ${leak}`));
          // Figures by name count the project's own calls: a model of another tenant is 200 with found false. A date can be set for any model.
          const byName =
            (swapped === 'model' && !called.route.path.includes('/prices/')) || called.route.path.endsWith('/metrics');
          const wanted = byName && safe.has(called.method) ? 200 : called.method === 'PUT' ? 400 : 404;
          if (answer.status !== wanted) faults.push(`${what} answered ${answer.status}: ${answer.text}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });
});

/** An answer without a text of the request, which some answers repeat. */
function withoutEcho(answer: Answer, sent: string): Answer {
  return { ...answer, seen: answer.seen.replaceAll(sent.toLowerCase(), '') };
}

/** Pages and files of the dashboard, whose addresses have parameters of their own, and what answers alike whatever is sent. */
const takesAnyQuery = ({ path }: RouteEntry, method: string): boolean =>
  /^\/($|o\/|sign-in|invite|reset|share\/|assets|favicon|v1\/(metrics|logs)$)/.test(path) ||
  (path === '/mcp' && method !== 'POST');

test('every route refuses an unknown query parameter, after it has looked for what the path names', async () => {
  const [tenant] = world.tenants;
  const faults: string[] = [];
  for (const called of routes) {
    const { route, method } = called;
    const [anonymous] = world.anonymous;
    // MCP takes no cookie.
    const byKey = route.access.who === 'key' || route.path === '/mcp';
    const actor = route.access.who === 'public' && anonymous ? anonymous : byKey ? tenant.key : tenant.owner;
    const refused = async (parameters: Readonly<Record<string, string>>) => {
      const query = `${projectOf(route, tenant) || '?'}&nonsense=1`;
      const { status, text } = await send(called, actor, { parameters, query, ...(safe.has(method) ? {} : { body: '{}' }) });
      return { status, isNamed: method === 'HEAD' || text.includes('?nonsense is not a parameter') };
    };
    const { status, isNamed } = await refused(tenant.parameters);
    // No tenant's parameters name a shared link, whose answer is for everyone; test/api/shares.test.ts names one.
    const isUnknown = route.path === '/v1/shares/:token';
    const wanted = takesAnyQuery(route, method) ? undefined : isUnknown ? 404 : 400;
    if (wanted === 400 ? status !== 400 || !isNamed : (wanted ?? status) !== status || (isNamed && method !== 'HEAD'))
      faults.push(`${method} ${route.path} answered ${status}`);
    const objects = objectParameters(route).filter((name) => name !== 'model' || route.path.includes('/prices/'));
    if (wanted === undefined || objects.length === 0 || !safe.has(method)) continue;
    const missing = { ...tenant.parameters, ...Object.fromEntries(objects.map((name) => [name, randomUUID()])) };
    const byItself = await send(called, actor, { parameters: missing, query: queryFor(called, tenant) });
    const both = await refused(missing);
    if (byItself.status === 404 && both.status !== 404) faults.push(`${method} ${route.path} of nothing answered ${both.status}`);
  }
  expect(faults).toEqual([]);
});

/** A request of `tenant` that names an object of `named` in its query or body; `statuses` are allowed where `named` is another tenant. */
type NamingRequest = (tenant: TenantData, named: TenantData) => [method: string, url: string, body: unknown, statuses: number[]];

const inProject = ({ projectId }: TenantData) => `/v1/projects/${projectId}`;
const inDataset = ({ parameters }: TenantData) => `/v1/datasets/${parameters['datasetId']}`;
const queryOf = ({ projectId }: TenantData) => `projectId=${projectId}`;
const encoded = (name = '') => encodeURIComponent(name);

/** Reads. Sent by the tenant that has the object, each answer holds that tenant's marker. */
const readsThatName: NamingRequest[] = [
  (of, named) => ['GET', `/v1/prompts?${queryOf(of)}&name=${encoded(named.parameters['name'])}`, undefined, [404]],
  (of, named) => ['GET', `/v1/prompts?${queryOf(of)}&folder=folder/${named.marker}`, undefined, [200]],
  (of, named) => ['GET', `/v1/prompts?${queryOf(of)}&tag=${encoded(`tag ${named.marker}`)}`, undefined, [200]],
  (of, named) => {
    const { runId } = of.parameters;
    return ['GET', `${inDataset(of)}/runs/compare?${queryOf(of)}&runs=${runId},${named.parameters['runId']}`, undefined, [404]];
  },
  (of, named) => ['GET', `${inProject(of)}/evaluations?evaluator=${named.parameters['evaluatorId']}`, undefined, [200]],
  (of, named) => ['GET', `${inProject(of)}/evaluations?evaluator=slug-${named.marker}`, undefined, [200]],
  (of, named) => ['GET', `${inProject(of)}/traces?q=${named.marker}`, undefined, [200]],
  (of, named) => ['GET', `${inProject(of)}/blast-radius?node=${encoded(`model:${named.parameters['model']}`)}`, undefined, [404]],
  (of, named) => ['GET', `${inProject(of)}/traces?session=session-${named.marker}`, undefined, [200]],
  (of, named) => ['GET', `${inProject(of)}/traces?view=${named.parameters['viewId']}`, undefined, [404]],
];

const otherRequestsThatName: NamingRequest[] = [
  (_of, named) => ['GET', `/v1/datasets?${queryOf(named)}`, undefined, [403]],
  (_of, named) => ['GET', `/v1/prompts?${queryOf(named)}`, undefined, [403]],
  (of, named) => ['GET', `${inDataset(of)}/items?${queryOf(of)}&after=${named.parameters['itemId']}`, undefined, [200, 400, 404]],
  (_of, named) => ['POST', '/v1/prompts', { name: 'p', prompt: 'x', projectId: named.projectId }, [403]],
  (_of, named) => ['POST', '/v1/datasets', { name: 'd', projectId: named.projectId }, [403]],
  (of, named) => ['POST', `/v1/prompts?${queryOf(of)}`, { name: 'refers', prompt: `{{> ${named.parameters['name']} }}` }, [400]],
  (of, named) => ['POST', `${inDataset(of)}/items?${queryOf(of)}`, { source: { traceId: named.parameters['traceId'] } }, [404]],
  (of, named) => {
    const items = [{ datasetItemId: named.parameters['itemId'], output: 1 }];
    return ['POST', `${inDataset(of)}/runs/${of.parameters['runId']}/items?${queryOf(of)}`, { items }, [400, 404]];
  },
  (of, named) => {
    const config = { connectionId: named.parameters['connectionId'], model: 'm', instructions: 'How good?', scale: [0, 1] };
    return ['POST', `${inProject(of)}/evaluators`, { slug: 'spy', type: 'llm_judge', config }, [400, 404]];
  },
];

async function answerTo(actor: Actor, method: string, url: string, body: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${world.app.url}${url}`, {
    method,
    headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

test("another tenant's objects named in a query or a body are not found", async () => {
  const [own, other] = world.tenants;
  for (const request of [...readsThatName, ...otherRequestsThatName]) {
    const [method, url, body, statuses] = request(own, other);
    // The operation would ignore an undeclared name, and the case could not fail.
    expect(undeclaredNames(operations, method, url, body), `${method} ${url}`).toEqual([]);
    const { status, text } = await answerTo(own.owner, method, url, body);
    expect(statuses, `${method} ${url}: ${text}`).toContain(status);
    expect(text.replaceAll(other.parameters['name'] ?? '', ''), `${method} ${url}`).not.toContain(other.marker);
  }
});

test('the same reads by the tenant that has the object return it', async () => {
  const [, other] = world.tenants;
  for (const request of readsThatName) {
    const [method, url, body] = request(other, other);
    const { status, text } = await answerTo(other.owner, method, url, body);
    expect(status, `${method} ${url}: ${text}`).toBe(200);
    expect(text, `${method} ${url}`).toContain(other.marker);
  }
});

test('undeclared names are found', () => {
  const path = `/v1/projects/${randomUUID()}/evaluations`;
  expect(undeclaredNames(operations, 'GET', `${path}?evaluatorId=x&limit=1`)).toEqual(['query parameter evaluatorId']);
  expect(undeclaredNames(operations, 'POST', '/v1/datasets', { name: 'd', colour: 1 })).toEqual(['body field colour']);
  expect(undeclaredNames(operations, 'GET', '/v1/nothing')).toEqual(['no operation GET /v1/nothing']);
});
