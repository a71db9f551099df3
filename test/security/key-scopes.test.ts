import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyScopes } from '../../src/contract/key-scopes.ts';
import type { ApiKeyScope } from '../../src/contract/key-scopes.ts';
import type { RouteEntry } from '../../src/platform/http/route-table.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

/** Every route for keys, each with keys of one scope: docs/semantics.md, "Scopes of API keys". */

const startMs = Date.UTC(2026, 10, 29, 10);
let app: TestApp;
const keys = new Map<ApiKeyScope, string>();
/** A route for each of its methods; HEAD is declared with GET. */
let routes: Array<{ route: RouteEntry; method: string }>;

beforeAll(async () => {
  app = await startTestApp(startMs);
  for (const scope of apiKeyScopes) keys.set(scope, await keyWith([scope]));
  routes = app.server.routeTable
    .entries()
    .filter(({ access }) => access.who === 'key' || access.who === 'key-or-session')
    .flatMap((route) => route.methods.filter((method) => method !== 'HEAD').map((method) => ({ route, method })));
});
afterAll(() => app.close());

async function keyWith(scopes: readonly ApiKeyScope[]): Promise<string> {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/api-keys`, {
    method: 'POST',
    headers: { cookie: app.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: scopes.join(), scopes }),
  });
  return ((await answer.json()) as { key: string }).key;
}

type Rule = readonly [methods: RegExp, paths: RegExp, scopes: readonly ApiKeyScope[] | 'any'];
const reads = /^GET$/;
const writes = /^(POST|PUT|PATCH|DELETE)$/;
const every = /./;

/** Which scopes permit what, written down from the rules and not from the routes. The first that matches counts; what none names is for keys without scopes. */
const rules: readonly Rule[] = [
  [every, /^\/(mcp|v1\/sdk\/whoami)$/, 'any'],
  [/^POST$/, /^\/v1\/(ingest|ingest\/outcomes|traces)$/, ['ingest']],
  [/^POST$/, /^\/v1\/projects\/:id\/(changes|mapping\/preview)$/, ['ingest']],
  [reads, /^\/v1\/(prompts|projects\/:id\/prompts)(\/|$)/, ['prompts:read', 'read']],
  [writes, /^\/v1\/prompts(\/|$)/, ['prompts:write']],
  [writes, /^\/v1\/datasets(\/|$)/, ['datasets:write']],
  [/^POST$/, /^\/v1\/projects\/:id\/scores$/, ['scores:write']],
  [/^POST$/, /^\/v1\/guardrails\/(check|report)$/, ['guardrails:check']],
  [reads, /^\/v1\/policy-bundle$/, ['guardrails:check']],
  [reads, /^\/v1\/projects\/:id\/simulations\//, ['simulations:run', 'read']],
  [writes, /^(\/v1)?\/projects\/:id\/simulations\//, ['simulations:run']],
  [
    reads,
    /^\/v1\/projects\/:id\/(alerts|channels|incidents|ingest-health|changes|guardrails|environments)(\/|$)/,
    ['admin-read'],
  ],
  [/^POST$/, /^\/v1\/projects\/:id\/(selections|jobs\/:jobId\/cancel)$/, ['read', 'datasets:write']],
  [/^POST$/, /^\/v1\/projects\/:id\/(query|filter-suggestions)$/, ['read']],
  [reads, every, ['read']],
];

function permitting(path: string, method: string): readonly ApiKeyScope[] | 'any' {
  return rules.find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2] ?? [];
}

/** Of the key's own project, with names of nothing and a parameter that no route has. */
const filled = (path: string): string =>
  `${app.url}${path.replace('/projects/:id', `/projects/${app.projectId}`).replaceAll(/:\w+/g, () => randomUUID())}?nonsense=1`;

test('every route for keys says which scopes it needs, as the rules say', () => {
  expect(routes.length).toBeGreaterThan(80);
  const faults = routes.flatMap(({ route: { path, access }, method }) => {
    const declared = 'keyScopes' in access ? access.keyScopes : undefined;
    if (declared === undefined) return [`${method} ${path} does not say which scopes it needs`];
    const wanted = permitting(path, method);
    const given = declared === 'none' ? [] : declared;
    return String(given) === String(wanted) ? [] : [`${method} ${path} needs ${String(given)}, not ${String(wanted)}`];
  });
  expect(faults).toEqual([]);
});

test('a key with one scope calls what the scope permits; the rest is 403, which names the scope, before 404 and 400', async () => {
  const faults: string[] = [];
  for (const { route, method } of routes) {
    const wanted = permitting(route.path, method);
    for (const [scope, key] of keys) {
      // fetch() takes several times as long.
      const answer = await request(filled(route.path), {
        method: method as Dispatcher.HttpMethod,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        // Neither a valid body nor valid JSON.
        ...(reads.test(method) ? {} : { body: '{' }),
      });
      const text = await answer.body.text();
      const permits = wanted === 'any' || wanted.includes(scope);
      const what = `${method} ${route.path} with ${scope} answered ${answer.statusCode} ${text}`;
      if (permits) {
        if (answer.statusCode !== 400 && answer.statusCode !== 404) faults.push(what);
      } else if (answer.statusCode !== 403) faults.push(what);
      else if (route.path !== '/v1/traces') {
        const { code, error } = JSON.parse(text) as { code: string; error: string };
        const names =
          wanted.length === 0 ? 'No scope of an API key permits this' : `lacks the scope ${[...wanted].join(' or ')};`;
        if (code !== 'forbidden' || !error.includes(names)) faults.push(what);
      }
    }
  }
  expect(faults).toEqual([]);
});

test('of another project, and of a route for sessions, the answer says nothing of what there is', async () => {
  const key = keys.get('ingest') ?? '';
  const status = async (path: string) => (await fetch(`${app.url}${path}`, { headers: { 'x-api-key': key } })).status;
  expect(await status(`/v1/projects/${randomUUID()}/traces`)).toBe(403);
  expect(await status(`/v1/projects/${app.projectId}/models`)).toBe(403);
});

test('a selection needs the scope of its action', async () => {
  const actions = {
    export: { type: 'export', format: 'jsonl', payloads: false },
    addTags: { type: 'addTags', tags: ['a'] },
    removeTags: { type: 'removeTags', tags: ['a'] },
    addToDataset: { type: 'addToDataset', datasetId: randomUUID() },
    evaluate: { type: 'evaluate', evaluators: ['none'] },
  };
  const permitted: Partial<Record<ApiKeyScope, readonly string[]>> = {
    read: ['export'],
    'datasets:write': ['addTags', 'addToDataset'],
  };
  for (const scope of ['read', 'datasets:write'] as const)
    for (const [name, action] of Object.entries(actions)) {
      const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/selections`, {
        method: 'POST',
        headers: { 'x-api-key': keys.get(scope) ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ on: 'traces', ids: ['t1'], action }),
      });
      const isPermitted = permitted[scope]?.includes(name) === true;
      expect([scope, name, answer.status !== 403], await answer.text()).toEqual([scope, name, isPermitted]);
    }
});

test('a job is cancelled with the scope that making it needs', async () => {
  const call = async (scope: ApiKeyScope, method: string, path: string, body?: object) => {
    const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/${path}`, {
      method,
      headers: { 'x-api-key': keys.get(scope) ?? '', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as { job: { id: string } } };
  };
  const selection = { on: 'traces', ids: ['t1'], action: { type: 'addTags', tags: ['a'] } };
  const { job } = (await call('datasets:write', 'POST', 'selections', selection)).body;
  expect((await call('read', 'POST', `jobs/${job.id}/cancel`)).status).toBe(403);
  expect((await call('datasets:write', 'POST', `jobs/${job.id}/cancel`)).status).toBe(200);
});

test('MCP lists and calls the tools of the scopes, and notes their use', async () => {
  const send = async (key: string, method: string, params: object = {}) => {
    const answer = await fetch(`${app.url}/mcp?write=true`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.json()) as { result: Record<string, unknown> }).result;
  };
  const toolsOf = async (key: string) =>
    ((await send(key, 'tools/list'))['tools'] as Array<{ name: string }>).map(({ name }) => name).toSorted();
  const of = (scope: ApiKeyScope) => toolsOf(keys.get(scope) ?? '');
  expect(await of('ingest')).toEqual([]);
  expect(await of('prompts:read')).toEqual(['get_prompt', 'list_prompts']);
  expect(await of('admin-read')).toEqual(['ingest_health', 'list_incidents']);
  expect(await of('scores:write')).toEqual(['record_score']);
  expect(await of('datasets:write')).toEqual(['create_dataset_items']);
  expect(await of('prompts:write')).toEqual(['create_prompt_version']);
  const reading = await of('read');
  expect(reading).toEqual([
    'blast_radius',
    'compare_runs',
    'get_graph',
    'get_model',
    'get_prompt',
    'get_span',
    'get_trace',
    'list_datasets',
    'list_models',
    'list_prompts',
    'query',
    'search_traces',
  ]);
  const both = await keyWith(['prompts:read', 'scores:write']);
  expect(await toolsOf(both)).toEqual(['get_prompt', 'list_prompts', 'record_score']);
  expect(await send(both, 'tools/call', { name: 'list_prompts', arguments: {} })).not.toHaveProperty('isError');
  const refused = await send(both, 'tools/call', { name: 'search_traces', arguments: {} });
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { code: 'forbidden', error: expect.stringContaining('lacks the scope read;') },
  });
  const used = async () => {
    const { body } = await app.get(`/v1/projects/${app.projectId}/api-keys?limit=200`);
    const { apiKeys } = body as { apiKeys: Array<{ name: string; scopesUsed: Array<{ scope: string }> }> };
    return apiKeys.find(({ name }) => name === 'prompts:read,scores:write')?.scopesUsed.map(({ scope }) => scope);
  };
  await expect.poll(used).toEqual(['prompts:read']);
});
