import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bytesOf } from '../budgets/index.ts';
import type { ByteBudget } from '../budgets/index.ts';
import { callerKey } from './request-access.ts';

/** What is held of answers that their clients do not read. */
export interface UnreadLimits {
  /** Answers whose bytes the operating system has not taken, of everybody and by caller. */
  budget: ByteBudget;
  /** Milliseconds after which a connection that takes no byte of its answer is closed. */
  stalledMs: number;
  /** Milliseconds between two looks at the connections. */
  lookEveryMs: number;
}

const standard = (): UnreadLimits => ({ budget: bytesOf('unreadAnswers'), stalledMs: 30_000, lookEveryMs: 5_000 });

/** Bytes for an answer that is made while it is sent: what its stream and the connection hold of it. */
const ofStream = 262_144;
/** Bytes; a smaller answer is taken at once, and is not counted. */
const small = 16_384;

interface Progress {
  /** Bytes that waited at the last change. */
  waiting: number;
  sinceMs: number;
}

/**
 * Bounds the answers that wait for their clients: above the budget a request is 503, and a connection that takes no byte for 30 s while bytes of an answer
 * wait is closed. An answer of which nothing was made yet may take as long as it takes.
 */
export function boundUnreadAnswers(app: FastifyInstance, limits: UnreadLimits = standard()): void {
  const answers = new Map<ServerResponse, Progress>();
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < small) return done(null, payload);
    const share = limits.budget.share(callerKey(request));
    try {
      share.take(bytes);
    } catch (error) {
      // The error is an answer too, and a small one.
      return done(error as Error);
    }
    if (reply.raw.destroyed) share.release();
    else reply.raw.once('close', () => share.release());
    done(null, payload);
  });
  app.server.on('request', (_request, response: ServerResponse) => {
    answers.set(response, { waiting: 0, sinceMs: performance.now() });
    response.once('close', () => answers.delete(response));
  });
  const look = setInterval(() => {
    const nowMs = performance.now();
    for (const [response, progress] of answers) {
      const { socket } = response;
      const waiting = socket === null ? 0 : waitingBytes(socket);
      if (waiting === 0 || waiting !== progress.waiting) Object.assign(progress, { waiting, sinceMs: nowMs });
      else if (nowMs - progress.sinceMs >= limits.stalledMs) socket?.destroy();
    }
  }, limits.lookEveryMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(look);
    done();
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  return payload === null || payload === undefined ? 0 : ofStream;
}

/**
 * The bytes of a connection that the operating system has not taken. Of a long write it takes a part at a time, which only the handle tells:
 * Node's own time-out of connections looks there too.
 */
function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength === 0 ? 0 : (handle?.writeQueueSize ?? 0) + socket.writableLength;
}
