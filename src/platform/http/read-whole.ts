import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { shownBytes } from '../budgets/index.ts';
import type { ByteBudget, ByteShare } from '../budgets/index.ts';
import { callerKey } from './request-access.ts';
import { GatheredBytes } from '../memory/gathered-bytes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Bodies of all requests but those that routes read themselves. */
    bodyBudget: ByteBudget;
  }
  interface FastifyRequest {
    /** The bytes of the body in memory; released when the answer was sent, and when the client disconnects before. */
    heldBody: ByteShare | null;
  }
}

/**
 * The whole body of a request, up to the `bodyLimit` of its route. In place of Fastify's `parseAs`, which keeps every piece of the body as
 * it came: a megabyte in chunks of one byte took 400 MB. The bytes are held in the server's `bodyBudget` until the answer was sent.
 *
 * Errors: `payload_too_large`; `unavailable` above the budget, once the body was read and thrown away, since a client may lose the answer when the
 * connection is closed early; `unsupported_media_type` for a compressed body; `invalid_request` when the connection is closed before the body ends.
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
  if (Number(request.headers['content-length']) > bodyLimit) return Promise.reject(tooLarge(bodyLimit));
  if (payload.destroyed) return Promise.reject(endedEarly(undefined));
  const share = request.server.bodyBudget.share(callerKey(request));
  request.heldBody = share;
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
    let length = 0;
    let refusal: Error | null = null;
    const onData = (piece: Buffer) => {
      length += piece.length;
      if (length > bodyLimit) {
        finish();
        return reject(tooLarge(bodyLimit));
      }
      if (refusal !== null) return;
      try {
        share.take(piece.length);
        gathered.add(piece);
      } catch (error) {
        refusal = error as Error;
        gathered.clear();
      }
    };
    const onEnd = () => {
      finish();
      if (refusal === null) resolve(gathered.take());
      else reject(refusal);
    };
    const onError = (cause: Error) => {
      finish();
      share.release();
      reject(endedEarly(cause));
    };
    const finish = () => payload.off('data', onData).off('end', onEnd).off('error', onError);
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

function tooLarge(bodyLimit: number): ServiceError {
  return new ServiceError('payload_too_large', `The body has more than ${shownBytes(bodyLimit)}; send less in one request.`);
}

/** The error for a body whose connection is closed before it ends. */
function endedEarly(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', 'The body ended early; send the request again.', { cause });
}
