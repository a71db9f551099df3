import { expect, test } from 'vitest';
import { decodeMessage } from '../../../test/support/otlp-oracle.ts';
import { errorStatuses } from '../../contract/errors.ts';
import { otlpErrorBody, otlpSuccess } from './response.ts';

const none = { overLimit: 0, invalidId: 0, enumNotInteger: 0, timeOutOfRange: 0 };

test('200 with an empty response when every span was accepted', () => {
  const reading = { rejected: 0, rejections: none };
  expect(otlpSuccess('protobuf', reading)).toEqual({ status: 200, contentType: 'application/x-protobuf', body: Buffer.alloc(0) });
  expect(otlpSuccess('json', reading)).toEqual({ status: 200, contentType: 'application/json', body: Buffer.from('{}') });
});

test('202 that names the settings for spans over the limit; the count is a string in JSON', () => {
  const reading = { rejected: 88, rejections: { ...none, overLimit: 88 } };
  const json = JSON.parse(otlpSuccess('json', reading).body.toString()) as { partialSuccess: Record<string, unknown> };
  expect(otlpSuccess('json', reading).status).toBe(202);
  expect(json.partialSuccess['rejectedSpans']).toBe('88');
  for (const setting of ['512', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'send_batch_max_size']) {
    expect(json.partialSuccess['errorMessage']).toContain(setting);
  }
  expect(decodeMessage('ExportTraceServiceResponse', otlpSuccess('protobuf', reading).body)).toEqual(json);
});

test('the message counts every reason', () => {
  const rejections = { overLimit: 100_000, invalidId: 1, enumNotInteger: 2, timeOutOfRange: 3 };
  const { body } = otlpSuccess('protobuf', { rejected: 100_006, rejections });
  const { partialSuccess } = decodeMessage('ExportTraceServiceResponse', body) as { partialSuccess: Record<string, string> };
  expect(partialSuccess['rejectedSpans']).toBe('100006');
  expect(partialSuccess['errorMessage']).toMatch(/^100000 spans .*; 1 span rejected .*; 2 spans .*; 3 spans .*\.$/);
});

test.each([
  ['invalid_request', 3],
  ['unauthenticated', 16],
  ['forbidden', 7],
  ['not_found', 5],
  ['payload_too_large', 8],
  ['unsupported_media_type', 3],
  ['rate_limited', 8],
  ['quota_exceeded', 8],
  ['not_implemented', 12],
  ['internal', 13],
  ['unavailable', 14],
  ['a_narrower_code', 2],
])('an error %s is google.rpc.Status %i', (code, grpc) => {
  const { contentType, body } = otlpErrorBody('protobuf', code, 'Send less.');
  expect(contentType).toBe('application/x-protobuf');
  expect(decodeMessage('RpcStatus', body)).toEqual({ code: grpc, message: 'Send less.' });
});

test('an error in JSON has error, code and message', () => {
  for (const code of Object.keys(errorStatuses)) {
    const { contentType, body } = otlpErrorBody('json', code, 'Send less.');
    expect(contentType).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual({ error: 'Send less.', code, message: 'Send less.' });
  }
});
