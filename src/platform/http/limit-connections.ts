import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';

/** Open files kept for the stores, the log and outgoing requests: the embedded ClickHouse opens the files of the parts that it reads. */
const reservedFiles = 500;
/** Connections beyond the limit, on which only the health endpoints answer. */
const healthConnections = 2;
/** Milliseconds that such a connection lives. */
const healthMs = 2_000;
const retryAfterSeconds = 5;
/** Milliseconds between two lines of the log about refused connections. */
const quietMs = 60_000;

/** How many files this process may have open; null where the system does not say, or has no limit. Node raises the soft limit to the hard one. */
export function openFileLimit(): number | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return Number.isSafeInteger(limit) ? limit : null;
  } catch {
    return null;
  }
}

/** How many connections a server takes under a limit of open files. */
export function maxConnectionsUnder(openFiles: number): number {
  return Math.max(openFiles - reservedFiles, Math.floor(openFiles / 2));
}

/**
 * Limits the connections of a server, so that no caller takes the files that the stores need. Two more are accepted for a short time: `/healthz` and
 * `/readyz` answer on them, everything else is 503. Further ones are closed.
 */
export function limitConnections(app: FastifyInstance, most: number): void {
  const extra = new WeakSet<Socket>();
  let open = 0;
  let saidAt = -Infinity;
  app.server.maxConnections = most + healthConnections;
  app.server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= most) return;
    extra.add(socket);
    const ending = setTimeout(() => socket.destroy(), healthMs).unref();
    socket.once('close', () => clearTimeout(ending));
    if (performance.now() - saidAt < quietMs) return;
    saidAt = performance.now();
    app.log.warn({ most }, 'the service has as many connections as its limit of open files allows; further ones are refused');
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!extra.has(request.raw.socket)) return;
    reply.header('connection', 'close');
    if (request.routeOptions.config.answersWhileDraining) return;
    throw new ServiceError('unavailable', 'The service has as many connections as it takes; send this again in a few seconds.', {
      retryAfterSeconds,
    });
  });
}
