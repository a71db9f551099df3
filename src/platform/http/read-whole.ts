import type { Readable } from 'node:stream';
import { errorCodes } from 'fastify';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';

/**
 * The whole body of a request, up to the `bodyLimit` of its route. In place of Fastify's `parseAs`, which keeps every piece of the body as
 * it came: a megabyte in chunks of one byte took 400 MB.
 *
 * Errors: `FST_ERR_CTP_BODY_TOO_LARGE`; `unsupported_media_type` for a compressed body; `invalid_request` when the connection is closed
 * before the body ends.
 */
export async function readWhole(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const bytes = await allBytes(request, payload);
  if (bytes.length > 0) refuseCompressed(request);
  return bytes;
}

/** Other values, such as the name of a character set, are ignored. */
const compressions = /\b(?:gzip|deflate|br|zstd|compress)\b/i;

/**
 * For a route that takes no compressed bodies, once the body was read: a connection that is closed before may lose the answer.
 *
 * Errors: `unsupported_media_type`.
 */
export function refuseCompressed({ headers }: FastifyRequest): void {
  if (!compressions.test(headers['content-encoding'] ?? '')) return;
  throw new ServiceError('unsupported_media_type', 'Compressed bodies are not taken here; send it without content-encoding.');
}

function allBytes(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { bodyLimit } = request.routeOptions;
  if (Number(request.headers['content-length']) > bodyLimit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
    const onData = (piece: Buffer) => {
      gathered.add(piece);
      if (gathered.length <= bodyLimit) return;
      finish();
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    };
    const onEnd = () => {
      finish();
      resolve(gathered.take());
    };
    const onError = (cause: Error) => {
      finish();
      reject(endedEarly(cause));
    };
    const finish = () => payload.off('data', onData).off('end', onEnd).off('error', onError);
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** The error for a body whose connection is closed before it ends. */
export function endedEarly(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', 'The body ended early; send the request again.', { cause });
}
