import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { linesOf, openTestClient } from '../fake-service.fixture.ts';
import type { SentRequest, TestClient } from '../fake-service.fixture.ts';
import { Spanwise } from '../index.ts';
import { systemClock } from '../clock.ts';
import { version } from '../version.ts';
import { askedWaitMs, backoffMs } from './retry-after.ts';

// Compression runs in threads, whose time is not that of the clock.
beforeEach(() => vi.stubGlobal('CompressionStream', undefined));
afterEach(() => vi.unstubAllGlobals());

function record({ spanwise }: TestClient, count: number, input: unknown = ''): void {
  for (let made = 0; made < count; made += 1) spanwise.span({ name: `span-${made}`, input }).end();
}

const status =
  (code: number, headers: Record<string, string> = {}, body: object = { error: 'Not now.' }) =>
  () =>
    Response.json(body, { status: code, headers });
const ids = ({ text }: SentRequest) => linesOf(text).map(({ spanId }) => spanId);

describe('batches', () => {
  test('wait for others for flushMs, or until they are full', async () => {
    const client = openTestClient({ flushMs: 500 });
    record(client, 3);
    await client.clock.advance(499);
    expect(client.service.requests).toEqual([]);
    await client.clock.advance(1);
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([3]);
    record(client, 230);
    await client.clock.advance(0);
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([3, 100, 100]);
    await client.clock.advance(500);
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([3, 100, 100, 30]);
  });

  test('have at most 900 kB', async () => {
    const client = openTestClient();
    record(client, 5, 'x'.repeat(400_000));
    await client.clock.advance(1_000);
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([2, 2, 1]);
    for (const { text } of client.service.requests) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000);
  });

  test('are compressed with gzip, however small', async () => {
    vi.unstubAllGlobals();
    const client = openTestClient({ flushMs: 0 });
    for (const count of [1, 20]) {
      record(client, count);
      while (client.spanwise.delivery().queued > 0) await client.clock.advance(1);
    }
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([1, 20]);
    for (const { headers, bytes, text } of client.service.requests) {
      const expected = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip', 'x-api-key': 'spw_key' };
      expect(headers).toMatchObject(expected);
      expect(bytes.length).toBeLessThan(gzipSync(text).length * 1.1);
    }
  });

  test('tell the service what became of all events', async () => {
    const client = openTestClient({ maxQueue: 2 });
    client.service.answers.push(
      status(202, {}, { accepted: 1, rejected: [{ line: 2, code: 'invalid_request', error: 'name is wrong.' }] }),
    );
    record(client, 3);
    await client.clock.advance(1_000);
    record(client, 1);
    await client.clock.advance(1_000);
    const headers = client.service.requests.map((request) => request.headers['x-spanwise-client'] ?? '');
    const counters = headers.map((header) => header.split('; id=')[0]);
    expect(counters).toEqual([
      `sdk-js/${version}; sent=2; accepted=0; rejected=0; queue_full=1; too_old=0; refused=0; queued=2`,
      `sdk-js/${version}; sent=3; accepted=1; rejected=1; queue_full=1; too_old=0; refused=0; queued=1`,
    ]);
    const clients = new Set(headers.map((header) => header.split('; id=')[1]));
    expect([...clients]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(client.spanwise.delivery()).toEqual({
      sent: 3,
      accepted: 2,
      rejected: [{ line: 2, code: 'invalid_request', error: 'name is wrong.' }],
      dropped: { queue_full: 1, too_old: 0, refused: 0 },
      queued: 0,
      lastError: 'Spanwise rejected 1 of 2 events: name is wrong.',
    });
  });
});

describe('an answer that is no acceptance', () => {
  test.each([
    [429, '3', 3_000],
    [503, '7', 7_000],
    [503, new Date(Date.UTC(2026, 10, 20, 10, 0, 31)).toUTCString(), 30_000],
  ])('%i with Retry-After %s waits as long', async (code, retryAfter, ms) => {
    const client = openTestClient();
    client.service.answers.push(status(code, { 'retry-after': retryAfter }));
    record(client, 1);
    await client.clock.advance(1_000);
    await client.clock.advance(ms - 1);
    // A flush does not end the wait.
    const flush = client.spanwise.flush({ timeoutMs: 0 });
    await client.clock.advance(0);
    await flush;
    expect(client.service.requests).toHaveLength(1);
    await client.clock.advance(1);
    expect(client.service.requests).toHaveLength(2);
    expect(client.spanwise.delivery()).toMatchObject({ sent: 1, accepted: 1, queued: 0 });
  });

  test.each([408, 429, 500, 502, 503, 504])('%i without it backs off, and sends the same bytes again', async (code) => {
    const client = openTestClient();
    client.service.answers.push(status(code), status(code), status(code));
    record(client, 2);
    await client.clock.advance(1_000);
    // Further events do not join the batch: the service must see that it is the same.
    record(client, 1);
    await client.clock.advance(374);
    expect(client.service.requests).toHaveLength(1);
    await client.clock.advance(1 + 750 + 1_500);
    const [first, second, third, fourth, last] = client.service.requests;
    expect([second, third, fourth].map((request) => request?.text)).toEqual([first?.text, first?.text, first?.text]);
    expect(last && ids(last)).toHaveLength(1);
    expect(client.spanwise.delivery()).toMatchObject({ sent: 3, accepted: 3 });
    expect(client.errors).toEqual([`Spanwise answered with status ${code}; events are sent again later: Not now.`]);
  });

  test.each([400, 403, 404, 409, 415, 422])('%i is for good', async (code) => {
    const client = openTestClient();
    client.service.answers.push(status(code));
    record(client, 2);
    await client.clock.advance(60_000);
    expect(client.service.requests).toHaveLength(1);
    expect(client.spanwise.delivery()).toMatchObject({ sent: 2, accepted: 0, dropped: { refused: 2 }, queued: 0 });
  });

  test('400 for every line rejects each', async () => {
    const client = openTestClient();
    const rejected = [1, 2].map((line) => ({ line, code: 'invalid_request', error: `line ${line} is wrong.` }));
    client.service.answers.push(status(400, {}, { accepted: 0, rejected, error: 'No line.', code: 'invalid_request' }));
    record(client, 2);
    await client.clock.advance(1_000);
    expect(client.spanwise.delivery()).toMatchObject({ accepted: 0, rejected, dropped: { refused: 0 } });
  });

  test('the last 100 rejected lines are kept', async () => {
    const client = openTestClient();
    const rejected = Array.from({ length: 100 }, (_, index) => ({
      line: index + 1,
      code: 'invalid_request',
      error: 'e'.repeat(9_999),
    }));
    client.service.answers.push(status(202, {}, { accepted: 0, rejected }), status(202, {}, { accepted: 0, rejected }));
    record(client, 150);
    await client.clock.advance(1_000);
    const report = client.spanwise.delivery();
    expect(report.rejected).toHaveLength(100);
    expect(report.rejected.at(-1)).toMatchObject({ line: 50, error: 'e'.repeat(500) });
  });

  test('a wrong key is reported once, until the key is right', async () => {
    const client = openTestClient();
    for (let time = 0; time < 3; time += 1) {
      client.service.answers.push(status(401, {}, { error: 'The key is unknown.' }));
      record(client, 1);
      await client.clock.advance(3_600_000);
    }
    expect(client.errors).toEqual([
      'Spanwise does not accept the API key (status 401); events are dropped until it is right: The key is unknown.',
    ]);
    record(client, 1);
    await client.clock.advance(1_000);
    client.service.answers.push(status(401));
    record(client, 1);
    await client.clock.advance(1_000);
    expect(client.errors).toHaveLength(2);
    expect(client.spanwise.delivery()).toMatchObject({ accepted: 1, dropped: { refused: 4 } });
  });

  test('413 is sent in halves; one that is too large alone is refused', async () => {
    const client = openTestClient();
    const tooLarge = status(413);
    client.service.answers.push(tooLarge, tooLarge, tooLarge);
    record(client, 4);
    await client.clock.advance(1_000);
    expect(client.service.requests.map((request) => ids(request).length)).toEqual([4, 2, 1, 3]);
    expect(client.spanwise.delivery()).toMatchObject({ sent: 4, accepted: 3, dropped: { refused: 1 } });
  });

  test('a redirect is not followed', async () => {
    const client = openTestClient();
    client.service.answers.push(() => new Response(null, { status: 308, headers: { location: 'https://other.example/' } }));
    record(client, 1);
    await client.clock.advance(1_000);
    expect(client.service.requests).toHaveLength(1);
    expect(client.errors).toEqual([expect.stringMatching(/redirects to https:\/\/other\.example\/.*not followed/)]);
    expect(client.spanwise.delivery().queued).toBe(1);
  });

  test('a redirect that a browser hides is named as one', async () => {
    const client = openTestClient();
    // Of status 0, as what `redirect: manual` gives there.
    client.service.answers.push(() => Response.error());
    record(client, 1);
    await client.clock.advance(1_000);
    expect(client.errors).toEqual([expect.stringMatching(/redirects to another address/)]);
    expect(client.spanwise.delivery().queued).toBe(1);
  });

  test('one of another server is no acceptance', async () => {
    const client = openTestClient();
    client.service.answers.push(() => new Response('<html>Welcome</html>'));
    record(client, 1);
    await client.clock.advance(1_000);
    expect(client.spanwise.delivery()).toMatchObject({
      accepted: 0,
      queued: 1,
      lastError: expect.stringMatching(/not one of Spanwise/) as string,
    });
  });
});

test('a request that is not answered in time is given up', async () => {
  const client = openTestClient({ timeoutMs: 3_000 });
  client.service.answers.push(() => new Promise<never>(() => {}));
  record(client, 1);
  await client.clock.advance(3_999);
  expect(client.spanwise.delivery().lastError).toBe(null);
  await client.clock.advance(1);
  expect(client.spanwise.delivery().lastError).toBe('http://127.0.0.1:4318 did not answer POST /v1/ingest within 3000 ms.');
  await client.clock.advance(375);
  expect(client.spanwise.delivery().accepted).toBe(1);
});

describe('the queue', () => {
  test('drops further events when it is full, and says so', async () => {
    const client = openTestClient({ maxQueue: 10 });
    record(client, 25);
    expect(client.spanwise.delivery()).toMatchObject({ queued: 10, dropped: { queue_full: 15 } });
    expect(client.errors).toEqual(['The queue is full with 10 events: further ones are dropped.']);
    await client.clock.advance(1_000);
    record(client, 1);
    await client.clock.advance(1_000);
    expect(client.spanwise.delivery()).toMatchObject({ accepted: 11, queued: 0 });
  });

  test('is limited in bytes too', () => {
    const client = openTestClient();
    record(client, 200, 'x'.repeat(499_000));
    const { queued, dropped } = client.spanwise.delivery();
    expect(queued).toBe(Math.ceil((64 * 1024 * 1024) / 499_200));
    expect(queued + dropped.queue_full).toBe(200);
  });

  test('makes room by dropping what is older than 24 hours', async () => {
    const client = openTestClient({ maxQueue: 2 });
    client.service.answers.push(status(429, { 'retry-after': '864000' }));
    record(client, 2);
    await client.clock.advance(25 * 3_600_000);
    record(client, 1);
    expect(client.spanwise.delivery()).toMatchObject({ queued: 1, dropped: { too_old: 2, queue_full: 0 } });
  });
});

describe('flush', () => {
  test('waits for what is queued, not for what comes after', async () => {
    const client = openTestClient();
    record(client, 1);
    let isDone = false;
    const flush = client.spanwise.flush().then(() => (isDone = true));
    client.service.answers.push((request) => {
      record(client, 1);
      return Response.json({ accepted: ids(request).length, rejected: [] }, { status: 202 });
    });
    await client.clock.advance(0);
    expect(isDone).toBe(true);
    await flush;
    expect(client.spanwise.delivery()).toMatchObject({ accepted: 1, queued: 1 });
    await client.clock.advance(1_000);
  });

  test('ends when its time is up, and never rejects; it tries at once', async () => {
    const client = openTestClient();
    const cut = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    for (let time = 0; time < 20; time += 1) client.service.answers.push(cut);
    record(client, 1);
    await client.clock.advance(1_000 + 375 + 750);
    const before = client.service.requests.length;
    const flush = client.spanwise.shutdown({ timeoutMs: 5_000 });
    await client.clock.advance(0);
    expect(client.service.requests).toHaveLength(before + 1);
    await client.clock.advance(5_000);
    await flush;
    expect(client.errors[0]).toBe('http://127.0.0.1:4318/v1/ingest cannot be reached: connect ECONNREFUSED.');
    expect(client.spanwise.delivery()).toMatchObject({ queued: 1, sent: 1 });
  });

  test('of nothing resolves', async () => {
    await openTestClient().spanwise.flush();
  });
});

test('waits grow to 30 s with jitter; Retry-After takes seconds and dates', () => {
  expect([1, 2, 3, 7, 50].map((failures) => backoffMs(failures, 1))).toEqual([500, 1_000, 2_000, 30_000, 30_000]);
  expect(backoffMs(1, 0)).toBe(250);
  const nowMs = Date.UTC(2026, 10, 20, 10);
  const headers = ['5', '0', '1.5', 'Fri, 20 Nov 2026 10:00:02 GMT', 'Fri, 20 Nov 2026 09:00:00 GMT', 'soon', '', null];
  const answer = (header: string | null, status = 429) => ({
    status,
    headers: new Headers(header === null ? {} : { 'retry-after': header }),
  });
  expect(headers.map((header) => askedWaitMs(answer(header), nowMs))).toEqual([
    5_000,
    undefined,
    1_500,
    2_000,
    ...Array<undefined>(4),
  ]);
  expect([503, 500, 408].map((status) => askedWaitMs(answer('5', status), nowMs))).toEqual([5_000, undefined, undefined]);
});

test('the version is that of the package', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});

describe('the clock of the machine', () => {
  test('follows the clock of the day', () => {
    const before = Date.now();
    expect(Math.abs(systemClock.now() - before)).toBeLessThan(1_000);
    const fine = performance.now();
    const monotonic = vi.spyOn(performance, 'now').mockReturnValue(fine + 100);
    vi.spyOn(Date, 'now').mockReturnValue(before + 3_600_000);
    expect(systemClock.now()).toBe(before + 3_600_000);
    // It is not looked at each time.
    monotonic.mockReturnValue(fine + 110.5);
    expect(systemClock.now()).toBe(before + 3_600_010.5);
    monotonic.mockReturnValue(fine + 200);
    vi.mocked(Date.now).mockReturnValue(before + 200);
    expect(systemClock.now()).toBe(before + 200);
    vi.restoreAllMocks();
  });
});

describe('a process that ends', () => {
  const run = promisify(execFile);
  const entry = new URL('../index.ts', import.meta.url).href;

  test('sends what it has; without a service it does not wait', async () => {
    const bodies: Buffer[] = [];
    const server = createServer((request, response) => {
      request.on('data', (data: Buffer) => bodies.push(data));
      request.on('end', () => response.writeHead(202).end('{"accepted":1,"rejected":[]}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const program = (url: string) => `
      import { Spanwise } from '${entry}';
      const spanwise = new Spanwise({ apiKey: 'spw_key', baseUrl: '${url}', flushMs: 60_000, onError: (error) => console.log(error.message) });
      spanwise.span({ name: 'last' }).end();`;
    const outputs = await Promise.all(
      [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'].map((url) =>
        run(process.execPath, ['--input-type=module', '--eval', program(url)], { timeout: 20_000 }),
      ),
    );
    await new Promise((resolve) => server.close(resolve));
    expect(bodies.map((body) => linesOf(gunzipSync(body).toString())[0]?.name)).toEqual(['last']);
    expect(outputs.map(({ stdout }) => stdout)).toEqual(['', expect.stringMatching(/cannot be reached/)]);
  });

  test('a flush at its end keeps it alive until the time is up', async () => {
    const program = `
      import { Spanwise } from '${entry}';
      const spanwise = new Spanwise({ apiKey: 'spw_key', baseUrl: 'http://127.0.0.1:1', onError() {} });
      spanwise.span({ name: 'last' }).end();
      await spanwise.flush({ timeoutMs: 300 });
      console.log(spanwise.delivery().queued);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 });
    expect(stdout).toBe('1\n');
  });
});

test('clients are independent of each other', async () => {
  const [one, other] = [openTestClient(), openTestClient()];
  one.spanwise.trace({ name: 'outer' }, () => other.spanwise.span({ name: 'inner' }).end());
  await Promise.all([one, other].map(({ clock }) => clock.advance(1_000)));
  expect(other.service.span('inner')).not.toHaveProperty('parentSpanId');
  expect(one.spanwise).toBeInstanceOf(Spanwise);
});
