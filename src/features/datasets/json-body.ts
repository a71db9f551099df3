import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { endedEarly, GatheredBytes, refuseCompressed } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { holdsMoreValues, maxBodyValues } from '../../platform/json/index.ts';
import type { ItemTexts } from './item-texts.ts';
import { readFieldsRequest } from './payload-texts.ts';
import type { PayloadTexts } from './payload-texts.ts';

/** Maximum body of the routes that accept items. */
export const maxBodyBytes = 16 * 1_048_576;
/** Maximum body of routes that accept a name, a description and 64 KiB of metadata, with every character escaped. */
export const maxFieldBytes = 512 * 1024;
/** Maximum bytes of the bodies of all concurrent requests. */
const maxHeldBytes = 128 * 1_048_576;

/**
 * Parses JSON bodies up to the `bodyLimit` of their route, with exact numbers and members of any name. The bodies of all requests share
 * 128 MiB. On routes that accept items the free-form fields are removed from the body and kept as text in `request.payloads`. A refused
 * body is read to its end and discarded, since a client may lose the answer when the connection is closed early.
 */
export function takeJsonBodies(scope: Server, itemTexts: ItemTexts): void {
  let held = 0;
  const hold = (request: FastifyRequest, bytes: number) => {
    if (held + bytes > maxHeldBytes) {
      throw new ServiceError('unavailable', 'The service is processing as many large requests as it can hold; send this again.', {
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
  scope.decorateRequest('payloads', null);
  scope.addHook('onRequest', async (request, reply) => {
    // Emitted when the answer is sent and when the client disconnects before.
    reply.raw.once('close', () => release(request));
  });
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readAll(payload, request.routeOptions.bodyLimit, (more) => hold(request, more));
    if (bytes.length === 0) return undefined;
    refuseCompressed(request);
    if (holdsMoreValues(bytes, maxBodyValues)) {
      throw new ServiceError(
        'payload_too_large',
        `The body has more than ${maxBodyValues} JSON values; send fewer items, or long lists of numbers as text.`,
      );
    }
    const takesItems = request.routeOptions.bodyLimit === maxBodyBytes;
    if (!takesItems) return readFieldsRequest(bytes);
    const { body, payloads } = await itemTexts.request(bytes);
    request.payloads = payloads;
    return body;
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body in memory; set on dataset routes. */
    heldBytes: number;
    /** The free-form fields of the items; set on routes that accept items. */
    payloads: readonly PayloadTexts[] | null;
  }
}

async function readAll(payload: Readable, maxBytes: number, hold: (bytes: number) => void): Promise<Buffer> {
  const gathered = new GatheredBytes();
  let refusal: unknown = null;
  const add = (piece: Buffer) => {
    try {
      if (gathered.length + piece.length > maxBytes) throw tooLarge(maxBytes);
      hold(piece.length);
      gathered.add(piece);
    } catch (error) {
      refusal = error;
      gathered.clear();
    }
  };
  try {
    for await (const piece of payload as AsyncIterable<Buffer>) if (refusal === null) add(piece);
  } catch (cause) {
    throw endedEarly(cause);
  }
  if (refusal !== null) throw refusal;
  return gathered.take();
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'payload_too_large',
    maxBytes === maxBodyBytes
      ? `The body has more than ${maxBytes / 1_048_576} MiB; send fewer items in one request, or import a file.`
      : `The body has more than ${maxBytes / 1024} KiB; send less in it.`,
  );
}
