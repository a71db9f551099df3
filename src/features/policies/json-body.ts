import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { readWhole } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { holdsMoreValues } from '../../platform/json/index.ts';

/** Maximum body: 1 MiB of files as JSON takes up to six times its bytes. */
export const maxBodyBytes = 8 * 1_048_576;
/** Values of a body: 200 files with a path and a content each, and room for what is refused with its place. */
const maxBodyValues = 10_000;

/** Parses JSON bodies up to the `bodyLimit` of their route, in a time that the number of values bounds. */
export function takeJsonBodies(scope: Server): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readWhole(request, payload);
    if (bytes.length === 0) return undefined;
    if (holdsMoreValues(bytes, maxBodyValues))
      throw new ServiceError('payload_too_large', `The body has more than ${maxBodyValues} JSON values; send at most 200 files.`);
    return new Promise((resolve, reject) => {
      // Bytes that are not UTF-8 become U+FFFD, which is a fault of the file with its place.
      void parse(request, bytes.toString('utf8'), (error, value) => {
        if (error) reject(new ServiceError('invalid_request', unreadable, { cause: error }));
        else resolve(value);
      });
    });
  });
}

const unreadable = 'The body is not valid JSON, or it has a member named __proto__; correct it and send it again.';
