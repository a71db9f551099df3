import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/**
 * Makes `app.close()` drain: it goes on listening, so that `/readyz` and new requests are told 503 and not refused a connection,
 * until the requests that were under way have been answered. After `mostMs` it closes whatever is left.
 */
export function drainOnClose(app: FastifyInstance, readiness: Readiness, mostMs: number): void {
  const underWay = new Map<ServerResponse, Promise<void>>();
  app.server.on('request', (_request, response: ServerResponse) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.set(response, promise);
    // `close` comes once, however the request ends.
    response.once('close', () => {
      underWay.delete(response);
      resolve();
    });
  });
  app.addHook('preClose', async () => {
    readiness.drain();
    const answered = Promise.all(underWay.values()).then(() => true);
    const patience = new AbortController();
    const allAnswered = await Promise.race([answered, delay(mostMs, false, { signal: patience.signal, ref: false })]);
    patience.abort();
    if (!allAnswered) app.server.closeAllConnections();
    // A connection whose body was still arriving when it was answered becomes idle only after the server has looked for idle ones.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(sweep));
  });
}
