import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/**
 * Makes `app.close()` drain: it goes on listening, so that `/readyz` and new requests are told 503 and not refused a connection,
 * until the requests that were under way have been answered. After `mostMs` it closes whatever is left.
 */
export function drainOnClose(app: FastifyInstance, readiness: Readiness, mostMs: number): void {
  const underWay = new Set<ServerResponse>();
  let awaited = new Set<ServerResponse>();
  const allAnswered = Promise.withResolvers<true>();
  function ended(this: ServerResponse): void {
    underWay.delete(this);
    if (awaited.delete(this) && awaited.size === 0) allAnswered.resolve(true);
  }
  app.server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    // It comes once, however the request ends.
    response.on('close', ended);
  });
  app.addHook('preClose', async () => {
    readiness.drain();
    awaited = new Set(underWay);
    if (awaited.size === 0) allAnswered.resolve(true);
    const patience = new AbortController();
    const answered = await Promise.race([allAnswered.promise, delay(mostMs, false, { signal: patience.signal, ref: false })]);
    patience.abort();
    if (!answered) app.server.closeAllConnections();
    // A connection whose body was still arriving when it was answered becomes idle only after the server has looked for idle ones.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(sweep));
  });
}
