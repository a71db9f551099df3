import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { mediaTypeOf } from '../../platform/http/index.ts';
import type { OtlpEncoding } from '../otlp/index.ts';

export const otlpEncodings: ReadonlyMap<string, OtlpEncoding> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
]);

/**
 * The inflated body of an OTLP request.
 *
 * @param receive reads and inflates it
 * Errors: `unsupported_media_type` for another type; `invalid_request` for an empty JSON body; those of `receive`.
 */
export async function otlpBody<Body extends Buffer | { bytes: Buffer }>(
  request: FastifyRequest,
  receive: () => Promise<Body>,
): Promise<{ encoding: OtlpEncoding; body: Body }> {
  const encoding = otlpEncodings.get(mediaTypeOf(request));
  if (!encoding) throw new ServiceError('unsupported_media_type', 'Send OTLP as application/x-protobuf or application/json.');
  const body = await receive();
  const { length } = Buffer.isBuffer(body) ? body : body.bytes;
  if (encoding === 'json' && length === 0) {
    throw new ServiceError('invalid_request', 'The body is empty; send an ExportTraceServiceRequest, {} at least.');
  }
  return { encoding, body };
}
