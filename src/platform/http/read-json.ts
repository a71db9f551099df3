import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { bodyLimitsOf, bytesOf, turnsOf } from '../budgets/index.ts';
import type { BodyKind } from '../budgets/index.ts';
import { jsonExcess } from '../json/index.ts';
import type { JsonLimits } from '../json/index.ts';
import { readWhole } from './read-whole.ts';
import { callerKey } from './request-access.ts';

/** Bytes; shorter bodies are parsed at once: a millisecond at worst. */
const shortBody = 16_384;
const bodiless = new Set(['GET', 'HEAD']);

/** Gives a route the limits of its body. */
export function limitBody(route: RouteOptions): void {
  const kind = kindOf(route.config?.body, route);
  route.config = { ...route.config, body: kind };
  const limits = bodyLimitsOf(kind);
  if (limits) route.bodyLimit = Math.min(route.bodyLimit ?? limits.bytes, limits.bytes);
}

function kindOf(declared: BodyKind | undefined, { schema, config }: RouteOptions): BodyKind {
  if (declared !== undefined) return declared;
  if (config?.ownBody) return 'own';
  return schema?.body === undefined ? 'none' : 'small';
}

/**
 * Refuses a JSON text that holds more than the route's kind of body, before it is parsed.
 *
 * Errors: `invalid_request`.
 */
export function refuseExcess(request: FastifyRequest, bytes: Uint8Array): void {
  const limits = bodyLimitsOf(request.routeOptions.config.body ?? 'small');
  const excess = limits && jsonExcess(bytes, limits);
  if (excess) throw new ServiceError('invalid_request', excessSentence(excess, limits));
}

function excessSentence(excess: keyof JsonLimits, limits: JsonLimits): string {
  const most = limits[excess].toLocaleString('en-US');
  return excess === 'values'
    ? `The body has more than ${most} JSON values; send fewer in one request.`
    : `The body nests arrays and objects deeper than ${most} levels; flatten it.`;
}

/**
 * Reads JSON bodies within the limits of their routes. Of larger ones one is parsed at a time, the callers in turn, and between two of them the process
 * serves other requests. An empty body counts as absent, which the route's schema judges.
 */
export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const turns = turnsOf('jsonBodies');
  const parsed = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, value) => {
        if (error) reject(unreadable(text, error));
        else resolve(value);
      });
    });
  app.decorate('bodyBudget', bytesOf('requestBodies'));
  app.decorateRequest('heldBody', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (!bodiless.has(request.method)) reply.raw.once('close', () => request.heldBody?.release());
    done();
  });
  app.decorate('parsedJson', async (request: FastifyRequest, bytes: Buffer) => {
    refuseExcess(request, bytes);
    if (bytes.length <= shortBody) return parsed(request, bytes.toString('utf8'));
    return turns.run(callerKey(request), async () => {
      await nextRound();
      return parsed(request, bytes.toString('utf8'));
    });
  });
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readWhole(request, payload);
    if (bytes.length === 0) return undefined;
    // Other bytes would be stored as U+FFFD.
    if (!isUtf8(bytes)) throw new ServiceError('invalid_request', 'The body is not UTF-8; send it encoded in UTF-8.');
    return app.parsedJson(request, bytes);
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Parses a body in turn. Bytes that are not UTF-8 become U+FFFD. Errors: `invalid_request`, `unavailable`. */
    parsedJson(request: FastifyRequest, bytes: Buffer): Promise<unknown>;
  }
}

/**
 * The error for a body that Fastify's parser rejects: it is not JSON, or it has a member that can cause prototype pollution. Such a
 * member is rejected, not dropped: dropping it would store something else than was sent.
 */
function unreadable(body: string, cause: Error): ServiceError {
  try {
    JSON.parse(body);
  } catch {
    return new ServiceError('invalid_request', 'The body is not valid JSON; correct it and send it again.', { cause });
  }
  const message =
    'The body has a member named __proto__, or a constructor with a prototype in it, which cannot be taken here; rename it.';
  return new ServiceError('invalid_request', message, { cause });
}
