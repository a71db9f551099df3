import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Agent, request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { apiKey, nowMs, openIngestService, organizationId, otherApiKey, projectId } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';

let service: IngestService;

beforeEach(async () => {
  service = await openIngestService();
});
afterEach(() => service.close());

const span = (spanId: string, more: object = {}) => ({
  type: 'span',
  traceId: 't1',
  spanId,
  name: 'chat',
  startTime: '2026-11-20T09:59:00.000Z',
  ...more,
});
const ndjson = (...events: unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');

async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> };
}

test('202: stores the good lines and names the bad ones by their line', async () => {
  const body = `\n${ndjson(span('a'))}\r\n  \t\n{"type":"span"}\n${ndjson({ type: 'trace', traceId: 't1' })}\n`;
  const answer = await send(body);
  expect(answer.status).toBe(202);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toBeTruthy();
  expect(answer.body).toEqual({
    accepted: 2,
    rejected: [{ line: 4, code: 'invalid_request', error: 'traceId is required.' }],
  });
  const [stored] = service.pipeline.accepted;
  expect(stored?.tenant).toEqual({ projectId, organizationId });
  expect(stored?.quotaCount).toBe(2);
  expect(stored?.batch.spans.map(({ traceId, spanId }) => [traceId, spanId])).toEqual([
    ['t1', 'a'],
    ['t1', ''],
  ]);
});

test.each(['application/json', 'text/plain; charset=utf-8', 'Application/X-NDJSON'])('202: as %s', async (type) => {
  expect((await send(ndjson(span('a')), { 'content-type': type })).status).toBe(202);
});

test('202: a key as a bearer token', async () => {
  const response = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' },
    body: ndjson(span('a')),
  });
  expect(response.status).toBe(202);
});

const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

test.each(Object.entries(encodings))('202: %s', async (encoding, compress) => {
  const answer = await send(compress(ndjson(span('a'), span('b'))), { 'content-encoding': encoding });
  expect(answer.body).toEqual({ accepted: 2, rejected: [] });
});

test('202: a chunked body', async () => {
  const response = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: new Blob([ndjson(span('a'))]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(202);
});

test('202: 100 lines and any number of blank lines', async () => {
  const events = Array.from({ length: 100 }, (_, index) => JSON.stringify(span(`s${index}`)));
  expect((await send(events.join('\n\n\n\n'))).body).toEqual({ accepted: 100, rejected: [] });
});

test('400: when every line is bad', async () => {
  const answer = await send('nonsense\n[]');
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    accepted: 0,
    rejected: [
      { line: 1, code: 'invalid_request', error: expect.stringContaining('not valid JSON') },
      { line: 2, code: 'invalid_request', error: expect.stringContaining('JSON array') },
    ],
    code: 'invalid_request',
    error: expect.stringContaining('line 1'),
  });
  expect(service.pipeline.accepted).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['blank lines', '\n \r\n\t\n'],
])('400: %s', async (_, body) => {
  const answer = await send(body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: expect.any(String), code: 'invalid_request' });
});

test('400: a body that does not inflate', async () => {
  const answer = await send(ndjson(span('a')), { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: 'invalid_request', error: expect.stringContaining('gzip') });
});

test.each(['', 'spw_unknown', 'nonsense'])('401: the key %o', async (key) => {
  const answer = await send(ndjson(span('a')), { 'x-api-key': key });
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code: 'unauthenticated' });
});

test('401 precedes every other check and takes no token', async () => {
  const body = 'x'.repeat(2_000_000);
  for (let request = 0; request < 301; request++) expect((await send('', { 'x-api-key': 'spw_unknown' })).status).toBe(401);
  expect((await send(body, { 'x-api-key': 'spw_unknown', 'content-type': 'image/png' })).status).toBe(401);
  expect((await send(ndjson(span('a')))).status).toBe(202);
});

describe('413', () => {
  test('101 lines, of which nothing is stored', async () => {
    const answer = await send(Array.from({ length: 101 }, (_, index) => JSON.stringify(span(`s${index}`))).join('\n'));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ error: expect.stringContaining('at most 100'), code: 'payload_too_large' });
    expect(service.pipeline.accepted).toEqual([]);
  });

  test('a body of 1 MiB is accepted, one byte more is not', async () => {
    const event = ndjson(span('a', { input: '' }));
    const filled = (bytes: number) => ndjson(span('a', { input: 'x'.repeat(bytes - event.length) }));
    expect(Buffer.byteLength(filled(1_048_576))).toBe(1_048_576);
    expect((await send(filled(1_048_576))).status).toBe(202);
    const answer = await send(filled(1_048_577));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ error: expect.stringContaining('1 MiB'), code: 'payload_too_large' });
  });

  test('an endless chunked body', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ === 320) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    const response = await fetch(`${service.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(service.context.budget.held).toBeLessThanOrEqual(1_048_576);
  });

  test('16 MiB inflated are accepted, one byte more is not', async () => {
    const filled = (bytes: number) => gzipSync(Buffer.concat([Buffer.from(ndjson(span('a'))), Buffer.alloc(bytes, '\n')], bytes));
    expect((await send(filled(16_777_216), { 'content-encoding': 'gzip' })).status).toBe(202);
    const answer = await send(filled(16_777_217), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ error: expect.stringContaining('16 MiB'), code: 'payload_too_large' });
  });

  test('reaches a client that reads after it has sent its whole body, and the connection stays open', async () => {
    const answers = await sendThenListen(20_000_000);
    expect(answers).toEqual([413, 202]);
  });
});

/** Two requests on one connection, the first with a body of the given size. */
async function sendThenListen(bytes: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson', 'content-length': body.length };
      const outgoing = httpRequest(`${service.url}/v1/ingest`, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const statuses = [await post(Buffer.alloc(bytes)), await post(Buffer.from(ndjson(span('a'))))];
  agent.destroy();
  return statuses;
}

test.each([
  'application/xml',
  'application/x-protobuf',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'json',
])('415: %s', async (type) => {
  const answer = await send(ndjson(span('a')), { 'content-type': type });
  expect(answer.status).toBe(415);
  expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
});

test.each(['compress', 'gzip, gzip', 'constructor'])('415: content-encoding %s', async (encoding) => {
  const answer = await send(ndjson(span('a')), { 'content-encoding': encoding });
  expect(answer.status).toBe(415);
  expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
});

describe('429 rate_limited', () => {
  async function useUp(): Promise<void> {
    // Invalid requests take a token too, and so do those to the other endpoint.
    for (let request = 0; request < 150; request++) {
      expect((await send('nonsense')).status).toBe(400);
      const traces = await fetch(`${service.url}/v1/traces`, { method: 'POST', headers: { 'x-api-key': apiKey } });
      expect(traces.status).toBe(415);
    }
  }

  test('after 300 requests of a key, whatever their result', async () => {
    await useUp();
    const answer = await send('x'.repeat(2_000_000), { 'content-type': 'image/png' });
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ code: 'rate_limited' });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await send(ndjson(span('a')), { 'x-api-key': otherApiKey })).status).toBe(202);
  });

  test('refilled at five a second', async () => {
    await useUp();
    service.clock.advance(1_000);
    const statuses: number[] = [];
    for (let request = 0; request < 6; request++) statuses.push((await send(ndjson(span('a')))).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe('429 quota_exceeded', () => {
  test('until the first of next month', async () => {
    service.pipeline.countedBefore = 50_000;
    const answer = await send(ndjson(span('a')));
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ code: 'quota_exceeded' });
    expect(answer.headers.get('retry-after')).toBe(String((Date.UTC(2026, 11, 1) - nowMs) / 1000));
    expect(service.pipeline.accepted).toEqual([]);
  });

  test('not for a request that starts below the limit', async () => {
    service.pipeline.countedBefore = 49_999;
    expect((await send(ndjson(span('a'), span('b')))).status).toBe(202);
    expect((await send(ndjson(span('c')))).status).toBe(429);
  });

  test('is checked after 415, 413 and 400', async () => {
    service.pipeline.countedBefore = 50_000;
    expect((await send('nonsense')).status).toBe(400);
    expect((await send('nonsense', { 'content-type': 'image/png' })).status).toBe(415);
    expect((await send('x'.repeat(1_048_577))).status).toBe(413);
  });

  test('rejected lines do not count', async () => {
    service.pipeline.countedBefore = 49_999;
    await send('nonsense');
    expect((await send(`nonsense\n${ndjson(span('a'))}`)).status).toBe(202);
    expect(service.pipeline.accepted[0]?.quotaCount).toBe(1);
  });
});

describe('a body sent again', () => {
  const body = ndjson(span('a'), { type: 'score', traceId: 't1', evaluator: 'helpful', score: 1 });

  test('counts once within ten minutes, and is stored as the same span and score', async () => {
    await send(body);
    service.clock.advance(599_999);
    expect((await send(body)).body).toEqual({ accepted: 2, rejected: [] });
    service.clock.advance(1);
    await send(body);
    const { accepted } = service.pipeline;
    expect(accepted.map(({ quotaCount }) => quotaCount)).toEqual([2, 0, 2]);
    const [first, second, third] = accepted.map(({ batch }) => batch.scores[0]?.scoreId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('twice at the same time counts once', async () => {
    await Promise.all([send(body), send(body)]);
    expect(service.pipeline.accepted.map(({ quotaCount }) => quotaCount).toSorted()).toEqual([0, 2]);
  });

  test('counts for each key', async () => {
    await send(body);
    await send(body, { 'x-api-key': otherApiKey });
    expect(service.pipeline.accepted.map(({ quotaCount }) => quotaCount)).toEqual([2, 2]);
  });

  test('is accepted after the quota was used up by it', async () => {
    service.pipeline.countedBefore = 49_999;
    expect((await send(body)).status).toBe(202);
    expect((await send(body)).status).toBe(202);
    expect((await send(ndjson(span('z')))).status).toBe(429);
  });

  test('counts when the first was not stored, and gives its scores the same ids', async () => {
    service.pipeline.failure = new ServiceError('unavailable', 'Try again.', { retryAfterSeconds: 5 });
    expect((await send(body)).status).toBe(503);
    service.pipeline.failure = null;
    service.clock.advance(1_000);
    await send(body);
    await send(body);
    const { accepted } = service.pipeline;
    expect(accepted.map(({ quotaCount }) => quotaCount)).toEqual([2, 0]);
    expect(accepted[1]?.batch.scores).toMatchObject([{ scoreId: accepted[0]?.batch.scores[0]?.scoreId }]);
  });
});

test('503: while the log is full', async () => {
  service.pipeline.failure = new ServiceError('unavailable', 'Send this again in a few seconds.', { retryAfterSeconds: 5 });
  const answer = await send(ndjson(span('a')));
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ code: 'unavailable', error: 'Send this again in a few seconds.' });
  expect(answer.headers.get('retry-after')).toBe('5');
});

test('503 while the memory for bodies is used up; 202 afterwards', async () => {
  const share = service.context.budget.share();
  share.take(256 * 1_048_576);
  const answer = await send(ndjson(span('a')));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  share.release();
  expect((await send(ndjson(span('a')))).status).toBe(202);
});

test('500 does not reveal its cause', async () => {
  service.pipeline.failure = new Error('SELECT secret FROM somewhere');
  const answer = await send(ndjson(span('a')));
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ code: 'internal', error: expect.not.stringContaining('secret') });
});

test('413 at once for a content-length over the limit, though no body follows', async () => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson', 'content-length': 10_000_000_000 };
  const outgoing = httpRequest(`${service.url}/v1/ingest`, { method: 'POST', headers });
  const status = new Promise((resolve) => outgoing.on('response', (response) => resolve(response.statusCode)));
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  expect(await status).toBe(413);
  outgoing.destroy();
});

test('405: another method', async () => {
  const response = await fetch(`${service.url}/v1/ingest`, { headers: { 'x-api-key': apiKey } });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toContain('POST');
});
