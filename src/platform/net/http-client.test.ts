import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ByteBudget } from '../budgets/index.ts';
import type { Resolve } from './guarded-connector.ts';
import { HttpClient, NetError } from './index.ts';
import type { OutgoingRequest } from './http-client.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const seen: Seen[] = [];
let connections = 0;
let port = 0;
let otherPort = 0;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
  const url = new URL(request.url ?? '', 'http://server');
  const redirect = url.searchParams.get('to');
  switch (url.pathname) {
    case '/redirect':
      response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: redirect ?? '' }).end('gone');
      return;
    case '/loop':
      response.writeHead(302, { location: '/loop' }).end();
      return;
    case '/hang':
      return;
    case '/drip':
      response.writeHead(200);
      response.write('a');
      return;
    case '/pieces':
      response.writeHead(200);
      for (let piece = 0; piece < 20; piece++) response.write('a');
      response.end();
      return;
    case '/reset':
      request.socket.resetAndDestroy();
      return;
    case '/large':
      response.writeHead(200).end(Buffer.alloc(2_000, 97));
      return;
    case '/endless': {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
      return;
    }
    case '/headers':
      response.writeHead(200, { 'x-long': 'a'.repeat(60_000) }).end();
      return;
    case '/gzip':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(1_000)));
      return;
    case '/twice':
      response.writeHead(200, { 'x-twice': ['one', 'two'] }).end('ok');
      return;
    default:
      response.writeHead(418, { 'x-answer': 'yes' }).end(`${request.method} ${body}`);
  }
}

const server = createServer((request, response) => void answer(request, response));
const other = createServer((request, response) => void answer(request, response));

/** A resolver with the given answers for each name; several answers are returned in turn. */
const names = new Map<string, string[][]>();
const resolve: Resolve = (host, _options, done) => {
  const answers = names.get(host);
  const addresses = (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? [];
  if (addresses.length === 0) done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  else
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
};

const open = new HttpClient({ addresses: { allowed: ['127.0.0.0/8', '::1'] }, resolve });
const guarded = new HttpClient({ addresses: 'public-only', resolve, connectTimeoutMs: 300 });

beforeAll(async () => {
  for (const each of [server, other]) {
    each.on('connection', () => connections++);
    await once(each.listen(0, '127.0.0.1'), 'listening');
  }
  port = (server.address() as AddressInfo).port;
  otherPort = (other.address() as AddressInfo).port;
  names.set('one.test', [['127.0.0.1']]);
  names.set('two.test', [['127.0.0.1']]);
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
  }
});

const limits = { method: 'GET' as const, timeoutMs: 5_000, maxResponseBytes: 10_000, maxRedirects: 3 };
const ask = (path: string, given: Partial<OutgoingRequest> = {}, client = open) =>
  client.request({ ...limits, url: path.startsWith('http') ? path : `http://one.test:${port}${path}`, ...given });
const kindOf = async (asked: Promise<unknown>): Promise<string> => {
  const error = await asked.then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NetError);
  return (error as NetError).kind;
};
const lastSeen = () => seen.at(-1);

describe('a request', () => {
  it('returns the whole response, of any status', async () => {
    const { status, headers, body, url } = await ask('/x', { method: 'POST', body: 'hello', headers: { 'X-Mine': 'a' } });
    expect([status, headers['x-answer'], body.toString(), url]).toEqual([418, 'yes', 'POST hello', `http://one.test:${port}/x`]);
    expect(lastSeen()?.headers).toMatchObject({ 'x-mine': 'a', 'user-agent': 'spanwise', 'accept-encoding': 'identity' });
    expect((await ask('/twice')).headers['x-twice']).toBe('one, two');
    expect((await ask('/x', { method: 'HEAD', maxResponseBytes: 0 })).body).toHaveLength(0);
  });

  it('takes no proxy from the environment', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:9';
    const client = new HttpClient({ addresses: { allowed: ['127.0.0.0/8', '::1'] }, resolve });
    expect((await ask('/x', {}, client)).status).toBe(418);
    delete process.env['http_proxy'];
    await client.close();
  });

  it.each(['', 'one.test', 'ftp://one.test/', 'file:///etc/passwd', 'http://', 'http://user:pass@one.test/', 'data:,x'])(
    'does not go to %j',
    async (url) => {
      expect(await kindOf(open.request({ ...limits, url }))).toBe('url');
      expect(await kindOf(open.checkUrl(url))).toBe('url');
    },
  );

  it('distinguishes a host without an address from an unreachable one', async () => {
    expect(await kindOf(ask('http://nobody.test/'))).toBe('name');
    expect(await kindOf(ask('http://one.test:1/'))).toBe('unreachable');
    expect(await kindOf(ask('/reset'))).toBe('broken');
    expect(await kindOf(ask(`https://one.test:${port}/`))).toBe('certificate');
  });
});

describe('limits', () => {
  it('ends at its time limit, before and during the response', async () => {
    for (const path of ['/hang', '/drip']) expect(await kindOf(ask(path, { timeoutMs: 80 })), path).toBe('timeout');
  });

  it('ends when the caller aborts, before and during the request', async () => {
    expect(await kindOf(ask('/x', { signal: AbortSignal.abort() }))).toBe('aborted');
    const giveUp = new AbortController();
    const before = seen.length;
    const asked = kindOf(ask('/drip', { signal: giveUp.signal }));
    await vi.waitFor(() => expect(seen.length).toBe(before + 1), 30_000);
    giveUp.abort();
    expect(await asked).toBe('aborted');
  });

  it('reads no more than its limit', async () => {
    expect((await ask('/large', { maxResponseBytes: 2_000 })).body).toHaveLength(2_000);
    expect(await kindOf(ask('/large', { maxResponseBytes: 1_999 }))).toBe('too-large');
    expect(await kindOf(ask('/endless', { maxResponseBytes: 1_000_000 }))).toBe('too-large');
    expect(await kindOf(ask('/headers'))).toBe('headers');
  });

  it('cuts a body instead of failing where the status is what counts, and still refuses headers that are too large', async () => {
    const cut = { cutsBody: true, maxResponseBytes: 1_000 };
    expect(await ask('/large', cut)).toMatchObject({ status: 200, body: Buffer.alloc(1_000, 97) });
    expect(await ask('/endless', cut)).toMatchObject({ status: 200 });
    expect(await ask('/drip', { ...cut, timeoutMs: 200 })).toMatchObject({ status: 200, body: Buffer.from('a') });
    expect(await kindOf(ask('/headers', cut))).toBe('headers');
    expect(await kindOf(ask('/hang', { ...cut, timeoutMs: 200 }))).toBe('timeout');
  });

  it('does not decompress a response', async () => {
    expect((await ask('/gzip', { maxResponseBytes: 200 })).body.length).toBeLessThan(200);
  });
});

describe('redirects', () => {
  const redirect = (to: string, status: number, given: Partial<OutgoingRequest> = {}) =>
    ask(`/redirect?status=${status}&to=${encodeURIComponent(to)}`, given);

  it('are followed up to the limit, and returned with a limit of 0', async () => {
    expect((await redirect('/x?a=1', 302)).url).toBe(`http://one.test:${port}/x?a=1`);
    expect(await kindOf(ask('/loop'))).toBe('redirects');
    const { status, headers } = await ask('/loop', { maxRedirects: 0 });
    expect([status, headers['location']]).toEqual([302, '/loop']);
    expect((await redirect('', 302, { maxRedirects: 0 })).status).toBe(302);
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [307, 'POST', 'POST', 'hello'],
    [308, 'PUT', 'PUT', 'hello'],
    [302, 'PUT', 'PUT', 'hello'],
  ] as const)('with %i turn %s into %s', async (status, method, then, body) => {
    await redirect('/x', status, {
      method,
      headers: { 'content-type': 'text/plain' },
      ...(method === 'HEAD' ? {} : { body: 'hello' }),
    });
    expect(lastSeen()).toMatchObject({ method: then, body });
    expect(lastSeen()?.headers['content-type']).toBe(body === '' && method !== 'HEAD' ? undefined : 'text/plain');
  });

  it('send another origin no header that may be secret', async () => {
    const headers = { Authorization: 'Bearer a', 'X-Secret': 'b', Cookie: 'c', accept: 'text/plain' };
    await redirect('/x', 307, { headers });
    expect(lastSeen()?.headers).toMatchObject({ authorization: 'Bearer a', 'x-secret': 'b' });
    for (const origin of [`http://one.test:${otherPort}`, `http://two.test:${port}`]) {
      await redirect(`${origin}/x`, 307, { headers });
      expect(lastSeen()?.headers).toMatchObject({ accept: 'text/plain', host: new URL(origin).host });
      for (const name of ['authorization', 'x-secret', 'cookie']) expect(lastSeen()?.headers).not.toHaveProperty(name);
    }
  });

  it('lead to no other scheme and carry no password', async () => {
    for (const to of ['file:///etc/passwd', `http://user:pass@two.test:${port}/x`])
      expect(await kindOf(redirect(to, 302))).toBe('url');
    expect(await kindOf(redirect('http://', 302))).toBe('redirects');
  });
});

describe('the policy public-only', () => {
  const asGuarded = (url: string) => kindOf(guarded.request({ ...limits, url }));

  it('connects to public addresses only, by name or number, in any notation', async () => {
    const before = connections;
    const hosts = [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '127.0.0.1.',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0',
      '[::]',
      'one.test',
    ];
    for (const host of hosts) {
      expect(await asGuarded(`http://${host}:${port}/x`), host).toBe('address');
      expect(await asGuarded(`https://${host}:${port}/x`), host).toBe('address');
      expect(await kindOf(guarded.checkUrl(`http://${host}:${port}/x`)), host).toBe('address');
    }
    expect(connections).toBe(before);
  });

  it('refuses a host when one of its addresses is refused', async () => {
    names.set('mixed.test', [['8.8.8.8', '192.0.2.1']]);
    names.set('mixed6.test', [['2606:4700::1', 'fe80::1']]);
    for (const host of ['mixed.test', 'mixed6.test']) expect(await asGuarded(`http://${host}/`), host).toBe('address');
  });

  it('admits a public address, and checks again when the answer of the resolver has changed', async () => {
    names.set('rebinding.test', [['8.8.8.8'], ['127.0.0.1']]);
    await guarded.checkUrl('http://rebinding.test/');
    expect(await asGuarded(`http://rebinding.test:${port}/x`)).toBe('address');
    await guarded.checkUrl('http://8.8.8.8/');
    await guarded.checkUrl('http://[2606:4700:4700::1111]/');
  });

  it('checks where a redirect leads', async () => {
    // Tests have no public server: one loopback address counts as public here.
    const client = new HttpClient({ addresses: 'public-only', resolve, allows: (address) => address === '127.0.0.1' });
    names.set('inside.test', [['127.0.0.2']]);
    const { url } = await client.request({ ...limits, url: `http://one.test:${port}/redirect?to=http://two.test:${port}/x` });
    expect(url).toBe(`http://two.test:${port}/x`);
    const before = seen.length;
    for (const host of ['inside.test', '127.0.0.2', '[::1]']) {
      const to = encodeURIComponent(`http://${host}:${port}/x`);
      expect(await kindOf(client.request({ ...limits, url: `http://one.test:${port}/redirect?to=${to}` })), host).toBe('address');
    }
    expect(seen.length).toBe(before + 3);
    await client.close();
  });

  it('checks the address of the socket', async () => {
    let asked = 0;
    const client = new HttpClient({ addresses: 'public-only', resolve, allows: () => ++asked < 2 });
    const before = seen.length;
    expect(await kindOf(client.request({ ...limits, url: `http://one.test:${port}/x` }))).toBe('address');
    expect([asked, seen.length]).toEqual([2, before]);
    await client.close();
  });
});

describe('memory', () => {
  it('ends an answer for which there is no room, and gives all back', async () => {
    const answers = new ByteBudget({ total: 5_000, ofOne: 3_000 }, () => new Error('full'));
    const client = new HttpClient({ addresses: { allowed: ['127.0.0.0/8'] }, resolve, answers });
    const request = (path: string, budgetKey: string) => ask(path, { budgetKey, maxResponseBytes: 100_000 }, client);
    expect((await request('/large', 'a')).body).toHaveLength(2_000);
    expect(answers.held).toBe(0);
    // One piece is held while the server goes on.
    const dripping = kindOf(request('/drip', 'a'));
    await vi.waitFor(() => expect(answers.held).toBe(401));
    expect(await kindOf(request('/endless', 'a'))).toBe('busy');
    // Bytes in pieces of their own count as what they take.
    expect(await kindOf(request('/pieces', 'b'))).toBe('busy');
    expect((await request('/large', 'b')).body).toHaveLength(2_000);
    await client.close();
    expect(await dripping).toBe('broken');
    expect(answers.held).toBe(0);
  });
});
