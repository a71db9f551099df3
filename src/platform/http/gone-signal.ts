import type { FastifyReply } from 'fastify';

/** Aborts when the client has gone, or has its answer. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A connection that was closed before, such as during authentication, emits nothing more.
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
