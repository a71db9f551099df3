import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { afterEach, expect, test } from 'vitest';
import { awaitClickHouse } from './await-server.ts';
import { openClickHouse } from './clickhouse.ts';
import type { ClickHouse } from './clickhouse.ts';
import { Liveness } from './liveness.ts';

// Simulates server faults. The engine's own answers over HTTP are tested by `npm run test:servers` and in test/faults.

const opened: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

/** A server with the given request listener. */
async function serverThat(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  opened.push({ close: () => server.closeAllConnections() }, { close: () => server.close() });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(url: string): ClickHouse {
  const clickhouse = openClickHouse({ url, dataDirectory: tmpdir(), temporaryDirectory: tmpdir(), cluster: null, tables: {} });
  opened.push(clickhouse);
  return clickhouse;
}

const rows = { table: 't', layout: [['n', 'UInt8']] as const, bytes: [new Uint8Array(1)], token: 'once' };
const unavailable = { code: 'unavailable', retryAfterSeconds: 5 };

test("the URL's database, user and password go with every request", async () => {
  const seen: Array<string | undefined> = [];
  const url = await serverThat((request, response) => {
    seen.push(new URL(request.url ?? '', 'http://x').searchParams.get('database') ?? '', request.headers.authorization);
    response.end('{"n":1}\n');
  });
  const clickhouse = open(url.replace('//', '//some%20body:p%40ss@') + '/traces_of_us');
  expect(await clickhouse.systemQuery('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await clickhouse.insertRows(rows);
  const expected = ['traces_of_us', `Basic ${btoa('some body:p@ss')}`];
  expect(seen).toEqual([...expected, ...expected]);
});

test('many ids go into the body instead of the URL', async () => {
  let longest = 0;
  const url = await serverThat((request, response) => {
    longest = Math.max(longest, (request.url ?? '').length);
    request.resume().on('end', () => response.end());
  });
  const ids = Array.from({ length: 1000 }, (_, index) => `${index}`.padStart(128, ':'));
  await open(url).systemQuery('SELECT {ids:Array(String)}', { ids });
  expect(longest).toBeLessThan(4_096);
});

test("a proxy's error page is unavailable", async () => {
  const url = await serverThat((request, response) => {
    request.resume();
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
  });
  await expect(open(url).systemQuery('SELECT 1')).rejects.toMatchObject(unavailable);
  await expect(open(url).insertRows(rows)).rejects.toMatchObject(unavailable);
});

test('a connection that breaks during a response fails only its statement', async () => {
  const url = await serverThat((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"n":1}\n', () => response.destroy());
    });
  });
  const clickhouse = open(url);
  await expect(clickhouse.insertRows(rows)).rejects.toMatchObject(unavailable);
  await expect(clickhouse.systemQuery('SELECT 1 AS n')).rejects.toMatchObject(unavailable);
});

test('transient engine errors become unavailable; others are unchanged', async () => {
  let code = 0;
  const url = await serverThat((request, response) => {
    request.resume();
    response.writeHead(500, { 'x-clickhouse-exception-code': String(code) });
    response.end(`Code: ${code}. DB::Exception: Something. (SOME_TYPE) (version 26.7.2.1)`);
  });
  const clickhouse = open(url);
  for (code of [202, 236, 242, 252]) await expect(clickhouse.systemQuery('SELECT 1')).rejects.toMatchObject(unavailable);
  code = 159;
  await expect(clickhouse.systemQuery('SELECT 1')).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringMatching(/did not finish the query in time; ask for a shorter time range/),
  });
  for (code of [62, 60, 516]) await expect(clickhouse.systemQuery('SELECT 1')).rejects.toMatchObject({ code: String(code) });
});

test('abandon aborts running statements and rejects later ones', async () => {
  const clickhouse = open(await serverThat(() => undefined));
  const inserting = expect(clickhouse.insertRows(rows)).rejects.toMatchObject(unavailable);
  const waiting = expect(clickhouse.insertRows(rows)).rejects.toMatchObject(unavailable);
  await delay(50);
  await clickhouse.abandon();
  await inserting;
  await waiting;
  await expect(clickhouse.ping()).rejects.toMatchObject(unavailable);
});

test('a slow query continues while the server answers pings and is aborted when it does not', async () => {
  let alive = true;
  const url = await serverThat((request, response) => {
    request.resume();
    if (request.url === '/ping' && alive) response.end('Ok.\n');
  });
  const client = createClient({ url, log: { level: 127 } });
  opened.push(client);
  const liveness = new Liveness(client, 100);
  await liveness.watch((signal) => delay(500, undefined, { signal }));
  alive = false;
  await expect(liveness.watch((signal) => delay(10_000, undefined, { signal }))).rejects.toMatchObject({ name: 'AbortError' });
});

test('a start waits for a server that does not answer, up to the limit', async () => {
  const said: string[] = [];
  const options = { waitMs: 1_200, onWaiting: (message: string) => void said.push(message) };
  const url = 'http://somebody:hunter2@127.0.0.1:9/spanwise';
  await expect(awaitClickHouse(open(url), { url, ...options })).rejects.toThrow(
    /^CLICKHOUSE_URL: ClickHouse does not answer at http:\/\/127\.0\.0\.1:9 \(.*ECONNREFUSED.*\) after 1 s; start it, or correct the URL$/,
  );
  expect(said).toEqual([expect.stringMatching(/^CLICKHOUSE_URL: .*; waiting up to 1 s for it$/)]);
});

test('a start does not wait for a server that refuses', async () => {
  const url = await serverThat((request, response) => {
    request.resume();
    response.writeHead(403, { 'x-clickhouse-exception-code': '516' });
    response.end('Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED) (version 26.7.2.1)');
  });
  await expect(awaitClickHouse(open(url), { url, waitMs: 60_000, onWaiting: () => undefined })).rejects.toThrow(
    /^CLICKHOUSE_URL: ClickHouse at \S+ refuses the URL's user or password; correct them, for example \S+$/,
  );
});

test('a start does not take another web server for ClickHouse', async () => {
  const url = await serverThat((request, response) => {
    request.resume();
    response.end('<html></html>');
  });
  await expect(awaitClickHouse(open(url), { url, waitMs: 60_000, onWaiting: () => undefined })).rejects.toThrow(
    /^CLICKHOUSE_URL: ClickHouse at \S+ cannot be used \(what answers there is no ClickHouse\)$/,
  );
});

test.each([
  ['http://u:hunter2%@ch', 'URI malformed'],
  ['http://u:hunter2@ch/?database=spanwise', 'Unknown URL parameters: database'],
])('the URL %s, which the client cannot use, is refused in one line', (url, reason) => {
  expect(() => open(url)).toThrow(
    expect.objectContaining({
      name: 'ClickHouseStartError',
      message: `CLICKHOUSE_URL cannot be used (${reason}); write it as http://user:password@host:8123/database, with % in user and password as %25`,
    }),
  );
});
