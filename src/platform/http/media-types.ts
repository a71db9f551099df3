import type { FastifyRequest } from 'fastify';

/** The content type of answers whose JSON text is written by hand. */
export const jsonType = 'application/json; charset=utf-8';

/** Whether a request's `accept` names a media type, beside others or alone. */
export function accepts({ headers }: Pick<FastifyRequest, 'headers'>, mediaType: string): boolean {
  const asked = (headers.accept ?? '').toLowerCase().split(',');
  return asked.some((type) => type.split(';', 1)[0]?.trim() === mediaType);
}

/** The media type of a request without its parameters, lower-case. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
