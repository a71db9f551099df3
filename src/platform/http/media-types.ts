import type { FastifyRequest } from 'fastify';

/** The content type of answers whose JSON text is written by hand. */
export const jsonType = 'application/json; charset=utf-8';

/** The media type of a request without its parameters, lower-case. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
