import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { HttpService } from '../../platform/http/http-service.fixture.ts';
import { dashboardRoutes } from './routes.ts';

const script = 'console.log("a script");'.repeat(100);
const page = '<!doctype html><div id="root"></div>';

let root: string;
let folder: string;
let service: HttpService;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'spanwise-dashboard-'));
  folder = join(root, 'dashboard');
  await writeFile(join(root, 'secret.txt'), 'not for the web');
  service = await openHttpService((app) => dashboardRoutes(app, folder, (token) => Promise.resolve(token === 'known')));
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/main-1a2b.js'), script);
  await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/plain-3c4d.js'), '1');
}

// The order of the tests matters: the dashboard is built by the first.
test('a page says how to build the dashboard, and the built one is served without a restart', async () => {
  const before = await service.request('/o/a/p/b');
  expect(before.status).toBe(503);
  expect(before.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(before.text).toContain('npm run build');
  expect(before.headers.get('cache-control')).toBe('no-store');
  await build();
  expect((await service.request('/o/a/p/b')).text).toBe(page);
});

test.each(['/', '/sign-in', '/o/default/p/default', '/o/a/p/b/traces/some.trace?span=x', '/o/a/p/b/models/acme%2Fllama'])(
  '%s is the page, revalidated each time',
  async (path) => {
    const answer = await service.request(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.text).toBe(page);
    // Not fetch: it adds `cache-control: no-cache` to such a request, which asks for the whole again.
    const again = await request(service.url + path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect(again.statusCode).toBe(304);
    await again.body.dump();
  },
);

test.each(['br', 'gzip'])('a file is served as compressed by %s at build time, and cached for ever', async (encoding) => {
  const answer = await service.request('/assets/main-1a2b.js', { headers: { 'accept-encoding': encoding } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  expect(answer.text).toBe(script);
});

test('a file without a compressed form, or a browser without compression, gets the plain file', async () => {
  const small = await service.request('/assets/plain-3c4d.js', { headers: { 'accept-encoding': 'br' } });
  expect([small.status, small.headers.get('content-encoding'), small.text]).toEqual([200, null, '1']);
  const plain = await service.request('/assets/main-1a2b.js', { headers: { 'accept-encoding': 'identity' } });
  expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, script]);
});

test.each([
  '/v1',
  '/v1/nothing',
  '/metrics',
  '/favicon.svg',
  '/assets/nothing.js',
  '/assets/../../secret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/.sources',
])('%s is not the page and no file', async (path) => {
  const answer = await service.request(path, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: 'not_found' });
});

test.each(['/nothing', '/o', '/traces/abc'])(
  '%s is the page with status 404 for a browser, and JSON for others',
  async (path) => {
    const answer = await service.request(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('accept, accept-encoding');
    expect(answer.text).toBe(page);
    for (const accept of ['application/json', '*/*', 'text/html;q=0', 'text/html;q=0.1, application/json']) {
      const other = await service.request(path, { headers: { accept } });
      expect([other.status, other.body.code, other.headers.get('vary')]).toEqual([404, 'not_found', 'accept, accept-encoding']);
    }
    const sent = await service.request(path, { method: 'POST', body: {}, headers: { accept: 'text/html' } });
    expect([sent.status, sent.body.code]).toEqual([404, 'not_found']);
  },
);

test('only GET and HEAD are allowed', async () => {
  const answer = await service.request('/sign-in', { method: 'POST', body: {} });
  expect(answer.status).toBe(405);
});

test('the Content-Security-Policy allows no inline script or style', async () => {
  const policy = (await service.request('/')).headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/script-src 'self'(?:;|$)/);
  expect(policy).toMatch(/style-src 'self'(?:;|$)/);
  expect(policy).not.toContain('unsafe');
});

test.each([
  ['/share/known', 200],
  ['/share/unknown', 404],
])('%s is the page with status %i, which nobody keeps, indexes or sends on', async (path, status) => {
  const answer = await service.request(path);
  expect([answer.status, answer.text]).toEqual([status, page]);
  expect(
    Object.fromEntries(['cache-control', 'x-robots-tag', 'referrer-policy'].map((name) => [name, answer.headers.get(name)])),
  ).toEqual({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
});
