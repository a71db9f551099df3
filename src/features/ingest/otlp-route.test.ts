import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeMessage, encodeRequest } from '../../../test/support/otlp-oracle.ts';
import { ServiceError } from '../../contract/errors.ts';
import { apiKey, openIngestService } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/otlp');
const protobuf = 'application/x-protobuf';
const json = 'application/json';

let service: IngestService;

beforeEach(async () => {
  service = await openIngestService('scale');
  // A day before the bodies were recorded.
  service.clock.set(Date.UTC(2026, 10, 22));
});
afterEach(() => service.close());

interface Sent {
  type?: string | null;
  encoding?: string | null;
  key?: string;
}

async function send(body: Uint8Array<ArrayBuffer> | string, { type = json, encoding = null, key = apiKey }: Sent = {}) {
  const response = await fetch(`${service.url}/v1/traces`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      ...(type === null ? {} : { 'content-type': type }),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    body,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    bytes,
    text: bytes.toString(),
  };
}

const minimal = new Uint8Array(readFileSync(join(fixtures, 'edge/minimal.bin')));
const minimalProtobuf = new Uint8Array(encodeRequest(JSON.parse(Buffer.from(minimal).toString()) as object));
const oneSpan = (type: string) => (type === json ? minimal : minimalProtobuf);
const spans = () => service.pipeline.accepted.flatMap(({ batch }) => batch.spans);

interface PartialAnswer {
  partialSuccess: { rejectedSpans: string; errorMessage: string };
}
const partialAnswer = (bytes: Buffer) => decodeMessage('ExportTraceServiceResponse', bytes) as unknown as PartialAnswer;

interface EdgeCase {
  file: string;
  contentType: string;
  contentEncoding: string | null;
  expect: string;
}

/** The expected status, stored spans and rejected spans of each case of `edge/index.json`. */
const edgeAnswers: Record<string, { status: number; stored: number; rejected?: number }> = {
  'empty-proto.bin': { status: 200, stored: 0 },
  'empty-json-object.bin': { status: 200, stored: 0 },
  'empty-resourceSpans.bin': { status: 200, stored: 0 },
  'empty-json-zero-bytes.bin': { status: 400, stored: 0 },
  'uppercase-hex.bin': { status: 200, stored: 1 },
  'minimal.bin': { status: 200, stored: 1 },
  'minimal-charset.bin': { status: 200, stored: 1 },
  'unknown-fields.bin': { status: 200, stored: 1 },
  'snake-case.bin': { status: 200, stored: 0 },
  'base64-ids.bin': { status: 202, stored: 0, rejected: 1 },
  'zero-trace-id.bin': { status: 202, stored: 0, rejected: 1 },
  'enum-as-string.bin': { status: 202, stored: 0, rejected: 1 },
  'truncated-proto.bin': { status: 400, stored: 0 },
  'garbage-proto.bin': { status: 400, stored: 0 },
  'invalid-json.bin': { status: 400, stored: 0 },
  'wrong-content-type.bin': { status: 415, stored: 0 },
  'bad-gzip.bin': { status: 400, stored: 0 },
  'unknown-encoding.bin': { status: 400, stored: 0 },
  'gzip-json.bin': { status: 200, stored: 1 },
  'proto-600-spans-gzip.bin': { status: 202, stored: 512, rejected: 88 },
};

const edgeCases = JSON.parse(readFileSync(join(fixtures, 'edge/index.json'), 'utf8')) as EdgeCase[];

test('every edge case has an answer', () => {
  expect(Object.keys(edgeAnswers).toSorted()).toEqual(edgeCases.map(({ file }) => file).toSorted());
});

test.each(edgeCases)('$file: $expect', async ({ file, contentType, contentEncoding }) => {
  const expected = edgeAnswers[file];
  const answer = await send(new Uint8Array(readFileSync(join(fixtures, 'edge', file))), {
    type: contentType,
    encoding: contentEncoding,
  });
  expect(answer.status).toBe(expected?.status);
  expect(spans()).toHaveLength(expected?.stored ?? -1);
  const isProtobuf = contentType === protobuf;
  expect(answer.type).toBe(isProtobuf ? protobuf : json);
  if (answer.status >= 400) {
    const error = isProtobuf ? decodeMessage('RpcStatus', answer.bytes) : (JSON.parse(answer.text) as Record<string, unknown>);
    expect(error['code']).toBe(isProtobuf ? 3 : answer.status === 415 ? 'unsupported_media_type' : 'invalid_request');
    return;
  }
  if (expected?.rejected === undefined) {
    expect(answer.text).toBe(isProtobuf ? '' : '{}');
    return;
  }
  const { partialSuccess } = isProtobuf ? partialAnswer(answer.bytes) : (JSON.parse(answer.text) as PartialAnswer);
  expect(partialSuccess.rejectedSpans).toBe(String(expected.rejected));
  expect(partialSuccess.errorMessage).not.toBe('');
});

test('ids are kept in lower case', async () => {
  await send(minimal);
  await send(new Uint8Array(readFileSync(join(fixtures, 'edge/uppercase-hex.bin'))));
  const [first, second] = spans();
  expect(second?.traceId).toBe(first?.traceId);
  expect(second?.spanId).toBe(first?.spanId);
});

test('over 512 spans: names the setting to change, and counts the accepted spans', async () => {
  const body = new Uint8Array(readFileSync(join(fixtures, 'edge/proto-600-spans-gzip.bin')));
  const { bytes } = await send(body, { type: protobuf, encoding: 'gzip' });
  const { errorMessage } = partialAnswer(bytes).partialSuccess;
  expect(errorMessage).toContain('OTEL_BSP_MAX_EXPORT_BATCH_SIZE');
  expect(errorMessage).toContain('send_batch_max_size');
  expect(service.pipeline.accepted.map(({ quotaCount }) => quotaCount)).toEqual([512]);
  expect(service.context.rejections.lastHour(service.pipeline.accepted[0]?.tenant.projectId ?? '')).toBe(88);
});

test('a body sent again counts once, over both endpoints', async () => {
  await send(minimal);
  await send(minimal, { type: `${json}; charset=utf-8` });
  expect(service.pipeline.accepted.map(({ quotaCount }) => quotaCount)).toEqual([1, 0]);
});

/** A way to cause each error, with its code in `google.rpc.Status`. */
const errors: Array<{ status: number; code: string; grpc: number; make(type: string): ReturnType<typeof send> }> = [
  { status: 400, code: 'invalid_request', grpc: 3, make: (type) => send('\u0001nonsense', { type }) },
  { status: 401, code: 'unauthenticated', grpc: 16, make: (type) => send('{}', { type, key: 'spw_unknown' }) },
  { status: 413, code: 'payload_too_large', grpc: 8, make: (type) => send(new Uint8Array(1_048_577), { type }) },
  {
    status: 413,
    code: 'payload_too_large',
    grpc: 8,
    make: (type) => send(new Uint8Array(gzipSync(Buffer.alloc(16_777_217))), { type, encoding: 'gzip' }),
  },
  { status: 415, code: 'unsupported_media_type', grpc: 3, make: (type) => send('{}', { type, encoding: 'compress' }) },
  {
    status: 429,
    code: 'rate_limited',
    grpc: 8,
    make: async (type) => {
      for (let request = 0; request < 300; request++) await service.context.buckets.take(apiKey);
      return send('{}', { type });
    },
  },
  {
    status: 429,
    code: 'quota_exceeded',
    grpc: 8,
    make: (type) => {
      service.pipeline.countedBefore = 100_000_000;
      return send(oneSpan(type), { type });
    },
  },
  {
    status: 503,
    code: 'unavailable',
    grpc: 14,
    make: (type) => {
      service.pipeline.failure = new ServiceError('unavailable', 'Send this again.', { retryAfterSeconds: 5 });
      return send(oneSpan(type), { type });
    },
  },
  {
    status: 500,
    code: 'internal',
    grpc: 13,
    make: (type) => {
      service.pipeline.failure = new Error('SELECT secret');
      return send(oneSpan(type), { type });
    },
  },
];

describe.each(errors)('$status $code', ({ status, code, grpc, make }) => {
  test('in JSON', async () => {
    const answer = await make(json);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe(json);
    const body = JSON.parse(answer.text) as Record<string, string>;
    expect(body).toEqual({ error: expect.any(String), code, message: body['error'] });
    expect(answer.text).not.toContain('secret');
  });

  test('in protobuf', async () => {
    const answer = await make(protobuf);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe(protobuf);
    expect(decodeMessage('RpcStatus', answer.bytes)).toMatchObject({ code: grpc, message: expect.any(String) });
  });

  test('has Retry-After where a retry can succeed', async () => {
    const { headers } = await make(json);
    const expected = {
      rate_limited: '1',
      quota_exceeded: String((Date.UTC(2026, 11, 1) - Date.UTC(2026, 10, 22)) / 1000),
      unavailable: '5',
    };
    expect(headers.get('retry-after')).toBe((expected as Record<string, string>)[code] ?? null);
    expect(headers.get('x-request-id')).toBeTruthy();
  });
});

test.each(['text/plain', 'application/grpc', 'application/x-ndjson', 'nonsense', null])(
  '415 in JSON: the type %s',
  async (type) => {
    const answer = await send(minimal, { type });
    expect(answer.status).toBe(415);
    expect(answer.type).toBe(json);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'unsupported_media_type', message: expect.any(String) });
  },
);

test.each([`${protobuf}; proto=x`, 'APPLICATION/X-PROTOBUF'])('200 as %s', async (type) => {
  const answer = await send('', { type });
  expect([answer.status, answer.type, answer.bytes.length]).toEqual([200, protobuf, 0]);
});

test('an empty request is accepted when the quota is used up', async () => {
  service.pipeline.countedBefore = 100_000_000;
  expect((await send('{}')).status).toBe(200);
});

describe.each(['/v1/metrics', '/v1/logs'])('%s', (path) => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND', 'LOCK'])('501: %s', async (method) => {
    const response = await fetch(service.url + path, {
      method,
      ...(method === 'POST' ? { body: new Uint8Array(3_000_000) } : {}),
    });
    expect(response.status).toBe(501);
    expect(await response.json()).toEqual({ code: 'not_implemented', error: expect.stringContaining('/v1/traces') });
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test('501: HEAD', async () => {
    expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(501);
  });

  test('501: with a key and a content type', async () => {
    const headers = { 'x-api-key': apiKey, 'content-type': protobuf };
    expect((await fetch(service.url + path, { method: 'POST', headers, body: new Uint8Array([0xff]) })).status).toBe(501);
  });
});
