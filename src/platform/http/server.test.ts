import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { openHttpService } from './http-service.fixture.ts';
import type { HttpService } from './http-service.fixture.ts';
import type { Server } from './index.ts';

const config = { access: { who: 'public' as const } };
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function routes(app: Server): void {
  const body = z.strictObject({
    name: z.string().min(2),
    tags: z.array(z.string().max(2)).min(1).optional(),
    code: z.string().max(1).optional(),
    kind: z.enum(['one', 'two']).optional(),
    target: z
      .discriminatedUnion('type', [z.object({ type: z.literal('email') }), z.object({ type: z.literal('webhook') })])
      .optional(),
    count: z.number().int().optional(),
  });
  app.post('/v1/things', { config, schema: { body } }, (request) => request.body);
  app.post('/v1/optional', { config, schema: { body: z.strictObject({ name: z.string() }).optional() } }, (request) => ({
    body: request.body ?? 'none',
  }));
  app.post('/v1/no-body', { config }, () => ({}));
  app.get(
    '/v1/things/:id',
    { config, schema: { querystring: z.object({ limit: z.coerce.number().max(200).optional() }) } },
    (request) => request.params,
  );
  app.get('/v1/cached', { config }, (_request, reply) => reply.header('cache-control', 'private, no-cache').send({}));
  app.get('/v1/broken', { config }, () => Promise.reject(new Error('SELECT secret FROM /var/lib')));
  app.get('/v1/thrown-null', { config }, () => {
    throw null;
  });
  app.get('/v1/busy', { config }, () => Promise.reject(new ServiceError('unavailable', 'Wait.', { retryAfterSeconds: 1.2 })));
  app.get('/v1/extra', { config }, () =>
    Promise.reject(new ServiceError('conflict', 'No.', { extra: { attached: { alerts: ['a'] } } })),
  );
  app.post('/v1/large', { config, bodyLimit: 16, schema: { body: z.unknown() } }, () => ({}));
}

let service: HttpService;
beforeAll(async () => {
  service = await openHttpService(routes);
});
afterAll(() => service.close());

const post = (body: unknown, headers: Record<string, string> = {}, path = '/v1/things') =>
  service.request(path, { method: 'POST', body, headers });

describe('answers', () => {
  it('to reads are kept by no cache', async () => {
    const kept = async (path: string) => (await service.request(path)).headers.get('cache-control');
    expect([await kept('/v1/things/1'), await kept('/v1/broken'), await kept('/v1/cached')]).toEqual([
      'no-store',
      'no-store',
      'private, no-cache',
    ]);
  });

  it('are JSON in UTF-8 with a request id of the service', async () => {
    const answer = await post({ name: 'ab' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(uuidPattern);
  });

  it('echo a sane request id, and no other', async () => {
    const longest = 'a'.repeat(128);
    for (const sane of ['a', 'A-z_0.9', longest]) {
      expect((await service.request('/v1/nothing', { headers: { 'x-request-id': sane } })).headers.get('x-request-id')).toBe(
        sane,
      );
    }
    for (const other of ['a b', 'ä', `${longest}a`, '<x>', 'a,b']) {
      expect((await service.request('/healthz', { headers: { 'x-request-id': other } })).headers.get('x-request-id')).toMatch(
        uuidPattern,
      );
    }
  });
});

describe('refusals', () => {
  it('name the invalid field, without repeating its value', async () => {
    const answer = await post({ name: 'ab', tags: ['ok', 'long-secret'] });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: 'Correct the body: /tags/1 must have at most 2 characters.',
      code: 'invalid_request',
      details: [{ path: '/tags/1', message: 'must have at most 2 characters' }],
    });
  });

  it.each([
    [{}, '/name', 'is required'],
    [{ name: 1 }, '/name', 'must be a string'],
    [{ name: 'a' }, '/name', 'must have at least 2 characters'],
    [{ name: 'ab', tags: [] }, '/tags', 'must not be empty'],
    [{ name: 'ab', code: 'xy' }, '/code', 'must have at most 1 character'],
    [{ name: 'ab', kind: 'three' }, '/kind', 'must be one of one, two'],
    [{ name: 'ab', target: { type: 'pager' } }, '/target/type', 'must be one of email, webhook'],
    [{ name: 'ab', target: {} }, '/target/type', 'must be one of email, webhook'],
    [{ name: 'ab', count: 1.5 }, '/count', 'must be a whole number'],
    [{ name: 'ab', 'a/b~c': 1 }, '/a~1b~0c', 'is not a known field; leave it out'],
    [[], '', 'must be an object'],
  ])('%j: %s %s', async (body, path, message) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([{ path, message }]);
  });

  it('list at most 20 problems', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    expect((await post({ name: 'ab', ...unknown })).body.details).toHaveLength(20);
  });

  it('name the invalid query parameter', async () => {
    expect((await service.request('/v1/things/1?limit=201')).body.error).toBe('Correct the query: /limit must be at most 200.');
  });

  it('refuse bytes that are not UTF-8, which could not be stored as they came', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.of(0xff), Buffer.from('"}')]);
    const answer = await fetch(`${service.url}/v1/things`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'The body is not UTF-8; send it encoded in UTF-8.' });
  });

  it.each(['{', '{"name":"ab"', '{"__proto__":{"name":"ab"}}', '{"constructor":{"prototype":{}}}', 'null', ''])(
    'refuse the body %j with 400',
    async (body) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('invalid_request');
    },
  );

  it('accept an optional body, an empty one and none', async () => {
    expect((await post({ name: 'x' }, {}, '/v1/optional')).body).toEqual({ body: { name: 'x' } });
    expect((await post('', {}, '/v1/optional')).body).toEqual({ body: 'none' });
    expect((await service.request('/v1/optional', { method: 'POST' })).body).toEqual({ body: 'none' });
  });

  it('refuse a field where no body is declared, but for the project that a session names', async () => {
    const answer = await post({ name: 'ab' }, {}, '/v1/no-body');
    expect([answer.status, answer.body.error]).toEqual([400, 'Correct the body: /name is not a known field; leave it out.']);
    for (const body of ['[1]', '"text"', '7', 'false']) expect((await post(body, {}, '/v1/no-body')).status, body).toBe(400);
    for (const body of ['', 'null', '{}', '{"projectId":"a"}'])
      expect((await post(body, {}, '/v1/no-body')).status, body).toBe(200);
    expect((await service.request('/v1/no-body', { method: 'POST' })).status).toBe(200);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])('refuse %s with 415', async (type) => {
    const answer = await post('{"name":"ab"}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body.code).toBe('unsupported_media_type');
  });

  it('refuse a compressed body with 415 where none is taken', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await fetch(`${service.url}/v1/things`, { method: 'POST', body: gzipSync('{"name":"ab"}'), headers });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      code: 'unsupported_media_type',
      error: expect.stringContaining('without content-encoding') as string,
    });
    expect((await post('{', { 'content-encoding': 'identity' })).status).toBe(400);
  });

  it('refuse a body beyond 64 KiB, or beyond the limit of the route, with 413', async () => {
    expect((await post(`"${'a'.repeat(65_534)}"`)).status).toBe(400);
    const { status, body } = await post(`"${'a'.repeat(65_535)}"`);
    expect([status, body]).toEqual([413, { code: 'payload_too_large', error: expect.stringContaining('more than 64 KiB') }]);
    expect((await post(`"${'a'.repeat(8_192)}"`, {}, '/v1/no-body')).status).toBe(413);
    expect((await post(`"${'a'.repeat(16)}"`, {}, '/v1/large')).status).toBe(413);
    expect((await post(`"${'a'.repeat(14)}"`, {}, '/v1/large')).status).toBe(200);
  });

  it('refuse a long body with 413 after the client has sent it, however it says its length', async () => {
    const content = 'a'.repeat(20 * 1_048_576);
    const head = `POST /v1/large HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;
    for (const body of [
      `content-length: ${content.length}\r\n\r\n${content}`,
      `transfer-encoding: chunked\r\n\r\n${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ]) {
      const answer = await exchange(service.port, `${head}${body}`);
      expect(answer).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*"code":"payload_too_large"/i);
    }
  });

  it('hide the text of an internal error, and log it', async () => {
    for (const path of ['/v1/broken', '/v1/thrown-null']) {
      const answer = await service.request(path);
      expect(answer.status).toBe(500);
      expect(Object.keys(answer.body)).toEqual(['error', 'code']);
      expect(answer.body.code).toBe('internal');
      expect(answer.text).not.toMatch(/SELECT|\/var|destructure/);
    }
    expect(service.logged()).toContain('SELECT secret FROM');
  });

  it('carry Retry-After in whole seconds, and further fields', async () => {
    const busy = await service.request('/v1/busy');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await service.request('/v1/extra')).body).toEqual({ error: 'No.', code: 'conflict', attached: { alerts: ['a'] } });
  });
});

describe('paths', () => {
  it('that do not exist are 404, whatever the body', async () => {
    for (const path of ['/', '/v1', '/v1/nothing', '/v1/things/1/', '/v1/THINGS', '//v1/things']) {
      expect((await service.request(path)).status, path).toBe(404);
    }
    expect((await post('{', {}, '/v1/nothing')).body.code).toBe('not_found');
    expect((await post('<a/>', { 'content-type': 'application/xml' }, '/v1/nothing')).status).toBe(404);
  });

  it('refuse another method with 405 and Allow', async () => {
    const answer = await service.request('/v1/things/1', { method: 'PUT', body: '{' });
    expect(answer.status).toBe(405);
    expect(answer.body.code).toBe('method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect((await service.request('/v1/things', { method: 'OPTIONS' })).headers.get('allow')).toBe('POST');
    expect((await service.request('/v1/things/1', { method: 'HEAD' })).status).toBe(200);
  });

  it('keep encoded slashes and dots inside a segment', async () => {
    expect((await service.request('/v1/things/openai%2Fgpt-4o.1')).body).toEqual({ id: 'openai/gpt-4o.1' });
    expect((await service.request('/v1/things/..%2F..%2Fetc')).body).toEqual({ id: '../../etc' });
    expect((await service.request(`/v1/things/${'a'.repeat(1024)}`)).status).toBe(200);
  });

  it.each([
    ['/v1/things/%E0%A4%A', 400],
    ['/v1/things/%FF', 400],
    ['/v1/things/a%00b', 400],
    [`/v1/things/${'a'.repeat(5000)}`, 404],
    [`/v1/things/${'a'.repeat(70_000)}`, 400],
  ])('%.30s is %d', async (path, status) => {
    const answer = await service.request(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(uuidPattern);
    expect(Object.keys(answer.body)).toEqual(['error', 'code']);
  });

  it('take a segment of 4,096 units, each of which is nine bytes encoded', async () => {
    const id = '模'.repeat(4_096);
    expect(await service.request(`/v1/things/${encodeURIComponent(id)}`)).toMatchObject({ status: 200, body: { id } });
    const tooLong = { status: 400, body: { error: expect.stringContaining('64 KiB'), code: 'invalid_request' } };
    expect(await service.request(`/v1/things/${encodeURIComponent(id.repeat(2))}`)).toMatchObject(tooLong);
  });

  it('answers bytes that are no request with an error body of its own', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      'GET /v1/\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http://[bad/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    ]) {
      const answer = await exchange(service.port, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
      expect(answer).toContain('"code":"invalid_request"');
    }
    expect(await exchange(service.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('answers a request that expects something other than 100-continue as any other', async () => {
    const answer = await exchange(service.port, 'GET /v1/no HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
  });
});

describe('the routes', () => {
  it('are rejected at startup without a declared access', async () => {
    await expect(openHttpService((app) => void app.get('/v1/forgotten', () => ({})))).rejects.toThrow('declares no access');
  });

  it('are rejected at startup when the path lacks the parameter of their access', async () => {
    for (const scope of ['project', 'organization'] as const) {
      const config = { access: { who: 'session' as const, scope } };
      await expect(openHttpService((app) => void app.get('/v1/x/:wrong', { config }, () => ({})))).rejects.toThrow(
        'its path must name',
      );
    }
  });

  it('are described with their schemas and their access', async () => {
    const { body, status } = await service.request('/v1/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.info).toMatchObject({ title: 'Spanwise', version: '1.0.0' });
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/v1/things', '/v1/things/{id}', '/healthz', '/readyz']));
    expect(body.paths['/v1/openapi.json']).toBeUndefined();
    expect(body.paths['/v1/things'].post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['name'],
      additionalProperties: false,
    });
    expect(body.paths['/healthz'].get.security).toEqual([]);
  });
});

/** Sends bytes and reads until the server closes. */
function exchange(port: number, bytes: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (data) => (answer += data.toString()));
  socket.on('error', reject);
  socket.on('close', () => resolve(answer));
  return promise;
}
