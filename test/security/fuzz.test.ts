import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultOf } from './answer-fault.ts';
import type { Operation } from './answer-fault.ts';
import { hostileJson, hostileText, mutatedJson } from './hostile-values.ts';
import { knownRequests } from './known-requests.ts';
import { runs } from '../support/runs.ts';
import { readOperations } from './operations.ts';
import { sendRaw } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';
import { fromNewAddress, openTwoTenants } from './two-tenants.ts';
import type { Actor, TenantData, TwoTenants } from './two-tenants.ts';
import { valueOfSchema } from './value-of-schema.ts';

// Sends each operation of the OpenAPI document requests generated from its schemas and from hostile values.
// RUNS is the number of requests for each operation, SPANWISE_FUZZ_SEED the seed of the generator.

const requests = runs({ usual: 6, nightly: 60 });
const seed = Number(process.env['SPANWISE_FUZZ_SEED'] ?? runs({ usual: 20_261_121, nightly: Date.now() % 2 ** 31 }));

/** The parts of one request, which fast-check shrinks separately. */
interface Plan {
  path: Record<string, string>;
  query: Array<[string, string]>;
  body: { kind: 'json' | 'damaged' | 'bytes' | 'none'; value: unknown; cut: number };
  headers: Record<string, string>;
  caller: 'user' | 'key' | 'anonymous';
}

let world: TwoTenants;
let operations: Operation[];
/** Operations that answered with a 2xx at least once. */
const reached = new Set<Operation>();

beforeAll(async () => {
  world = await openTwoTenants();
  operations = await readOperations(world.app.url);
});
afterAll(() => world.app.close());

/** Requests that delete go to the second tenant, so that the objects of the first stay. */
function tenantFor({ method, path }: Operation): TenantData {
  return world.tenants[method === 'DELETE' || path.endsWith('/rotate') ? 1 : 0];
}

function planOf(operation: Operation): fc.Arbitrary<Plan> {
  const tenant = tenantFor(operation);
  const ids = [...Object.values(tenant.parameters), ...Object.values(world.tenants[0].parameters)];
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const path = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => {
        const own = tenant.parameters[name] ?? '';
        // Most requests must pass the access checks.
        const scope = name === 'id' || name === 'orgId' ? 40 : 6;
        return [
          name,
          fc.oneof(
            { weight: scope, arbitrary: fc.constant(own) },
            { weight: 1, arbitrary: fc.constantFrom(...ids) },
            { weight: 1, arbitrary: hostileText },
          ),
        ];
      }),
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.name !== 'projectId')
    .map(({ name, schema = {}, required = false }) =>
      fc
        .tuple(
          fc.nat(3),
          fc.oneof(
            { weight: 2, arbitrary: valueOfSchema(schema, { ids, hostilePercent: 0 }).map(asText) },
            { weight: 1, arbitrary: hostileText },
          ),
        )
        .map(([chance, value]): Array<[string, string]> => (chance === 0 || required ? [[name, value]] : [])),
    );
  const known = knownRequests(tenant.parameters)[`${operation.method} ${operation.path}`] ?? {};
  const knownQuery = fc.boolean().map((given) => (given ? Object.entries(known.query ?? {}) : []));
  const knownBody = fc.oneof(fc.constant(known.body), mutatedJson(known.body));
  const unknown = fc.nat(30).map((n): Array<[string, string]> =>
    n === 30
      ? [
          ['__proto__', 'x'],
          ['unknown', '1'],
          ['unknown', '2'],
        ]
      : [],
  );
  return fc.record({
    path: fc.record(path) as fc.Arbitrary<Record<string, string>>,
    query: fc.oneof(
      knownQuery,
      fc.tuple(knownQuery, ...query, unknown).map((parts) => parts.flat()),
    ),
    body: fc.record({
      kind: fc.oneof(
        { weight: 12, arbitrary: fc.constant('json' as const) },
        { weight: 1, arbitrary: fc.constantFrom('damaged' as const, 'bytes' as const, 'none' as const) },
      ),
      value:
        operation.body || known.body !== undefined
          ? fc.oneof(
              { weight: known.body === undefined ? 0 : 4, arbitrary: knownBody },
              { weight: 4, arbitrary: valueOfSchema(operation.body ?? {}, { ids, hostilePercent: 0 }) },
              { weight: 4, arbitrary: valueOfSchema(operation.body ?? {}, { ids, hostilePercent: 12 }) },
              { weight: 1, arbitrary: hostileJson },
            )
          : fc.oneof(fc.constant(new Verbatim(known.text ?? '')), hostileJson),
      cut: fc.nat(60),
    }),
    headers: hostileHeaders,
    caller: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('user' as const, 'key' as const) },
      { weight: 1, arbitrary: fc.constant('anonymous' as const) },
    ),
  });
}

/** The known request of an operation, unchanged, by each kind of caller, so that it is always tried. */
function knownPlans(operation: Operation): Array<[Plan]> {
  const { parameters } = tenantFor(operation);
  const known = knownRequests(parameters)[`${operation.method} ${operation.path}`] ?? {};
  const value = known.text === undefined ? known.body : new Verbatim(known.text);
  return (['user', 'key'] as const).map((caller) => [
    {
      path: { ...parameters },
      query: Object.entries(known.query ?? {}),
      body: { kind: 'json', value, cut: 0 },
      headers: {},
      caller,
    },
  ]);
}

/** Header values that Node's client can send. */
const headerText = hostileText.map((text) =>
  [...text]
    .filter((c) => c >= ' ' && c <= 'ÿ' && c !== '\u007f')
    .join('')
    .slice(0, 2000),
);
const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        'x-request-id': headerText,
        'content-type': fc.oneof(
          fc.constantFrom(
            'text/plain',
            'application/x-protobuf',
            'application/x-ndjson',
            'text/csv',
            'multipart/form-data',
            'application/json; charset=utf-16',
            '',
          ),
          headerText,
        ),
        'content-encoding': fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip', 'nonsense', ''),
        'if-none-match': headerText,
        accept: headerText,
        'accept-encoding': fc.constantFrom('gzip', 'br;q=0', '*', 'nonsense'),
        origin: fc.oneof(fc.constantFrom('null', 'https://elsewhere.example'), headerText),
        'x-forwarded-for': headerText,
        authorization: fc.oneof(fc.constantFrom('Bearer spwu_x', 'Bearer ', 'Basic Og=='), headerText),
        cookie: fc.oneof(fc.constantFrom('spanwise_session=', 'spanwise_session=%E0%A4%A'), headerText),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>,
  },
);

/** A body that is not JSON. */
class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function bytesOf({ kind, value, cut }: Plan['body'], encoding: string | undefined): Buffer | null {
  if (kind === 'none') return null;
  const text = Buffer.from(value instanceof Verbatim ? value.text : (JSON.stringify(value) ?? ''));
  const plain =
    kind === 'bytes'
      ? Buffer.concat([text.subarray(0, cut), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), text.subarray(cut)])
      : text;
  const coded = encoding === 'gzip' ? gzipSync(plain) : plain;
  return kind === 'damaged' ? coded.subarray(0, Math.max(0, coded.length - 1 - cut)) : coded;
}

function requestOf(operation: Operation, plan: Plan): RawRequest {
  const tenant = tenantFor(operation);
  const encoded = (text: string) => encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed());
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = plan.path[name] ?? '';
    // Texts that start with % are not encoded, so that invalid escapes are sent too.
    return text.startsWith('%') ? text.replaceAll(/[^!-~]/g, '') : encoded(text);
  });
  const project = operation.parameters.some(({ name }) => name === 'projectId') ? [['projectId', tenant.projectId]] : [];
  const query = [...project, ...plan.query].map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`).join('&');
  const body =
    operation.method === 'GET' || operation.method === 'HEAD' ? null : bytesOf(plan.body, plan.headers['content-encoding']);
  const contentType =
    knownRequests(tenant.parameters)[`${operation.method} ${operation.path}`]?.contentType ?? 'application/json';
  const callers: Record<Plan['caller'], Record<string, string>> = {
    // Unlike the session the token stays valid when the sign-out operation is called.
    user: (operation.takesTokens ? tokenOf(tenant) : tenant.owner).headers,
    key: tenant.key.headers,
    anonymous: {},
  };
  return {
    method: operation.method,
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...fromNewAddress(),
      ...(body === null ? {} : { 'content-type': contentType, 'content-length': String(body.length) }),
      ...plan.headers,
      ...callers[plan.caller],
    },
    body,
  };
}

/** The owner's token. */
function tokenOf(tenant: TenantData): Actor {
  return (
    tenant.actors.find((actor) => actor.kind === 'user' && actor.role === 'owner' && 'authorization' in actor.headers) ??
    tenant.owner
  );
}

/** Sends the requests; describes the smallest one with a fault, null when there is none. */
async function fuzzed(operation: Operation): Promise<string | null> {
  let last = '';
  const property = fc.asyncProperty(planOf(operation), async (plan) => {
    // Refills the rate limits.
    world.app.clock.advance(1000);
    const request = requestOf(operation, plan);
    last = '';
    const answer = await sendRaw(world.app.url, request);
    const fault = faultOf(operation, request, answer);
    if (answer.status < 300) reached.add(operation);
    if (fault === null) return;
    last = `${fault}\n  ${request.method} ${request.path.slice(0, 600)} ${JSON.stringify(request.headers).slice(0, 400)}\n  ${request.body?.toString().slice(0, 600) ?? ''}`;
    throw new Error(last);
  });
  const result = await fc.check(property, {
    seed,
    numRuns: requests,
    examples: knownPlans(operation),
    interruptAfterTimeLimit: 30_000,
  });
  if (!result.failed) return null;
  const message = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
  return `${operation.method} ${operation.path}: ${message}`;
}

/** Operations whose bodies have no fields of the service's own: lines, OTLP, JSON-RPC, files, an evidence pack; or whose bodies are not read. */
const ownFormats =
  /^(POST (\/mcp|\/v1\/(ingest|traces)|.*\/(import|mapping\/preview|evidence-packs\/verify))|\w+ \/v1\/(metrics|logs))$/;

test('every operation refuses a body field that it does not have, also one without a body', async () => {
  const writing = operations.filter(
    ({ method, path }) => !/^(GET|HEAD|OPTIONS)$/.test(method) && !ownFormats.test(`${method} ${path}`),
  );
  const missed: string[] = [];
  for (const operation of writing) {
    const { parameters } = tenantFor(operation);
    const { body = {}, query = {} } = knownRequests(parameters)[`${operation.method} ${operation.path}`] ?? {};
    const value = { ...(body as object), noField: 1 };
    const plan = { path: parameters, query: Object.entries(query), body: { kind: 'json' as const, value, cut: 0 }, headers: {} };
    const answers: string[] = [];
    for (const caller of ['user', 'key'] as const) {
      const answer = await sendRaw(world.app.url, requestOf(operation, { ...plan, caller }));
      answers.push(`${answer.status} ${answer.body.toString()}`);
    }
    if (!answers.some((answer) => answer.startsWith('400') && answer.includes('"/noField"')))
      missed.push(`${operation.method} ${operation.path}: ${answers.join(' | ').slice(0, 300)}`);
  }
  expect(missed).toEqual([]);
  expect(writing.length).toBeGreaterThan(60);
});

test(
  `every generated request has a valid answer (seed ${seed}, ${requests} requests for each operation)`,
  { timeout: 240_000 + requests * 20_000 },
  async () => {
    const faults: string[] = [];
    // Deletions come last, and containers after what they contain.
    const order = ({ method, path }: Operation) => (method === 'DELETE' ? 1000 - path.length : 0);
    for (const operation of operations.toSorted((left, right) => order(left) - order(right))) {
      const fault = await fuzzed(operation);
      if (fault !== null) faults.push(fault);
    }
    expect(faults.join('\n\n')).toBe('');
    // Requests that are always refused would test little.
    const unreached = operations.filter((operation) => !reached.has(operation) && !neverSuccessful.test(operation.path));
    const names = unreached.map(({ method, path }) => `${method} ${path}`);
    expect(unreached.length, `never succeeded: ${names.join(', ')}`).toBeLessThan(operations.length / 10);
    // The service still works.
    expect((await fetch(`${world.app.url}/readyz`)).status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  },
);

/** Operations that always answer 501, and sign-in, which needs the right password. */
const neverSuccessful = /^\/v1\/(metrics|logs|auth\/login)$/;

test('invalid answers are found', () => {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === 'GET /v1/projects/{id}/traces');
  if (!operation) throw new Error('no such operation');
  const request: RawRequest = { method: 'GET', path: '/', headers: {}, body: null };
  const answer = (status: number, body: string, headers = { 'x-request-id': 'a', 'content-type': 'application/json' }) => ({
    status,
    headers,
    body: Buffer.from(body),
  });
  expect(faultOf(operation, request, answer(500, '{}'))).toMatch(/^500/);
  expect(faultOf(operation, request, answer(400, '{"error":"x","code":"not_found"}'))).toMatch(/code not_found/);
  expect(faultOf(operation, request, answer(400, '{"code":"invalid_request"}'))).toMatch(/sentence/);
  expect(faultOf(operation, request, answer(200, '{"nonsense":1}'))).toMatch(/schema/);
  expect(faultOf(operation, request, answer(409, '{"error":"x","code":"conflict"}'))).toMatch(/^409 is not documented/);
  expect(faultOf(operation, request, answer(404, '{"error":"x","code":"not_found"}'))).toBeNull();
  expect(faultOf(operation, request, answer(200, '{}', { 'x-request-id': '', 'content-type': 'application/json' }))).toMatch(
    /x-request-id/,
  );
});
