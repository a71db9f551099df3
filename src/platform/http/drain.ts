import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/**
 * Makes `app.close()` drain: the server keeps listening and answers 503 to `/readyz` and new requests until the requests in progress have
 * been answered. After `maxMs` it closes the remaining connections.
 */
export function drainOnClose(app: FastifyInstance, readiness: Readiness, maxMs: number): void {
  const underWay = new Set<ServerResponse>();
  let awaited = new Set<ServerResponse>();
  const allAnswered = Promise.withResolvers<true>();
  function ended(this: ServerResponse): void {
    underWay.delete(this);
    if (awaited.delete(this) && awaited.size === 0) allAnswered.resolve(true);
  }
  app.server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    // `close` is emitted once, however the request ends.
    response.on('close', ended);
  });
  app.addHook('preClose', async () => {
    readiness.drain();
    awaited = new Set(underWay);
    if (awaited.size === 0) allAnswered.resolve(true);
    const patience = new AbortController();
    const answered = await Promise.race([allAnswered.promise, delay(maxMs, false, { signal: patience.signal, ref: false })]);
    patience.abort();
    if (!answered) app.server.closeAllConnections();
    // A connection that was answered while its body still arrived becomes idle after the server has closed idle ones.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(sweep));
  });
}
