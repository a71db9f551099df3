import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { readWhole } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';

/** Reads JSON bodies as other routes do. Bytes that are not UTF-8 become U+FFFD, which is a fault of the file with its place. */
export function takeJsonBodies(scope: Server): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readWhole(request, payload);
    return bytes.length === 0 ? undefined : scope.parsedJson(request, bytes);
  });
}
