import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import type { Server } from '../../platform/http/index.ts';
import { holdsMoreValues, mostBodyValues } from '../../platform/json/index.ts';
import { parseExactly } from './stored-json.ts';

/** Largest body of the routes that take items. */
export const mostBodyBytes = 16 * 1_048_576;
/** Largest body of those that take a name, a description and metadata of 64 KB: room for every character of them escaped. */
export const mostFieldBytes = 512 * 1024;
/** What the bodies of all their requests under way may take together. */
const mostHeldBytes = 128 * 1_048_576;

/**
 * Takes JSON bodies as they were sent, up to the `bodyLimit` of their route: exact numbers, and members of any name. Bodies of all requests
 * share 128 MB.
 * What is refused is read to its end without being kept, since a connection that is closed early may cost the client the answer.
 */
export function takeJsonBodies(scope: Server): void {
  let held = 0;
  const hold = (request: FastifyRequest, bytes: number) => {
    if (held + bytes > mostHeldBytes) {
      throw new ServiceError('unavailable', 'The service is working on as many large requests as it can hold; send this again.', {
        retryAfterSeconds: 1,
      });
    }
    held += bytes;
    request.heldBytes += bytes;
  };
  const release = (request: FastifyRequest) => {
    held -= request.heldBytes;
    request.heldBytes = 0;
  };
  scope.decorateRequest('heldBytes', 0);
  scope.addHook('onRequest', async (request, reply) => {
    // Comes when the answer is sent, and when the client goes away before.
    reply.raw.once('close', () => release(request));
  });
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readAll(payload, request.routeOptions.bodyLimit, (more) => hold(request, more));
    if (bytes.length === 0) return undefined;
    if (holdsMoreValues(bytes, mostBodyValues)) {
      throw new ServiceError(
        'payload_too_large',
        `The body has more than ${mostBodyValues} JSON values; send fewer items, or long lists of numbers as text.`,
      );
    }
    try {
      return parseExactly(decoded(bytes));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError('invalid_request', 'The body is not valid JSON; correct it and send it again.', { cause: error });
    }
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of its body that are held in memory; on the routes of datasets. */
    heldBytes: number;
  }
}

async function readAll(payload: Readable, most: number, hold: (bytes: number) => void): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let total = 0;
  let refusal: unknown = null;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    if (refusal !== null) continue;
    total += chunk.length;
    try {
      if (total > most) throw tooLarge(most);
      hold(chunk.length);
      chunks.push(chunk);
    } catch (error) {
      refusal = error;
      chunks = [];
    }
  }
  if (refusal !== null) throw refusal;
  return Buffer.concat(chunks);
}

function tooLarge(most: number): ServiceError {
  return new ServiceError(
    'payload_too_large',
    most === mostBodyBytes
      ? `The body has more than ${most / 1_048_576} MB; send fewer items in one request, or import a file.`
      : `The body has more than ${most / 1024} KB; send less in it.`,
  );
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
