import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import type { Service } from '../support/service.ts';

let service: Service;
let remove: () => Promise<void>;

beforeAll(async () => {
  const directory = await temporaryDataDirectory();
  service = await startService({ dataDirectory: directory.path });
  ({ remove } = directory);
});
afterAll(async () => {
  await service.stop();
  await remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });

async function scriptPath(): Promise<string> {
  const html = await (await get('/')).text();
  const path = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  if (path === undefined) throw new Error(`no script in ${html}`);
  return path;
}

test.each(['/', '/sign-in', '/o/default/p/default', '/o/a/p/b/traces/some.trace?span=x', '/o/a/p/b/models/acme%2Fllama'])(
  '%s is the page, asked for each time and never stale',
  async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toContain('<div id="root">');
    // Not fetch: it adds `cache-control: no-cache` to such a request, which asks for the whole again.
    const again = await request(`${service.url}${path}`, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect(again.statusCode).toBe(304);
    await again.body.dump();
  },
);

test.each(['br', 'gzip'])('a script comes as it was compressed by %s at build time, for ever', async (encoding) => {
  const path = await scriptPath();
  const answer = await get(path, { 'accept-encoding': encoding });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  const plain = await get(path, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await answer.text()).toBe(await plain.text());
});

test('no script and no style may stand in the page itself', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toMatch(/style-src 'self'(?:;|$)/);
  expect(policy).not.toContain('unsafe');
});

test.each([
  '/v1/nothing',
  '/v1',
  '/nothing',
  '/o',
  '/assets/../../package.json',
  '/assets/nothing.js',
  '/assets/%2e%2e/%2e%2e/package.json',
])('%s is not the page', async (path) => {
  const answer = await get(path, { accept: 'text/html' });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'not_found' });
});

test.each(['/healthz', '/readyz', '/v1/openapi.json'])('%s stays what it is', async (path) => {
  expect((await get(path)).headers.get('content-type')).toContain('application/json');
});

test('answers of the API are compressed where they are large', async () => {
  const { cookie, projectId } = await service.signIn();
  const events = Array.from({ length: 60 }, (_, index) => ({
    type: 'span',
    traceId: `t-${index}`,
    spanId: 's',
    name: 'chat',
    startTime: new Date().toISOString(),
  }));
  await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  const path = `/v1/projects/${projectId}/traces?limit=200`;
  await expect.poll(async () => ((await (await get(path, { cookie })).json()) as { traces: unknown[] }).traces.length).toBe(60);
  const answer = await get(path, { cookie, 'accept-encoding': 'gzip' });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(((await answer.json()) as { traces: unknown[] }).traces).toHaveLength(60);
  expect(
    (await get(`/v1/projects/${projectId}/ingest-health`, { cookie, 'accept-encoding': 'gzip' })).headers.get('content-encoding'),
  ).toBeNull();
});
