import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../../contract/errors.ts';
import { holdsMoreValues } from '../json/index.ts';
import type { Authenticator } from './access.ts';
import { AccessCheck } from './access-check.ts';
import { answerClientError } from './client-error.ts';
import { compressAnswers } from './compress-answers.ts';
import { drainBody } from './drain-body.ts';
import { drainOnClose } from './drain.ts';
import { errorBody, publicError } from './errors.ts';
import { healthRoutes } from './health-routes.ts';
import { openApi } from './openapi.ts';
import type { Readiness } from './readiness.ts';
import { readWhole } from './read-whole.ts';
import { requestId } from './request-id.ts';
import { refuseFields, RequestInvalid, validateRequest } from './request-validation.ts';
import { RouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';
import { jsonType } from './media-types.ts';
import type { Server } from './server-type.ts';
import './request-access.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  authenticator: Authenticator;
  /** Scheme, host and port under which browsers know the service. Called at each request, since the port may be chosen late. */
  publicOrigin(): string;
  readiness: Readiness;
  trustProxy?: boolean;
  /** Milliseconds that closing waits for requests in progress; default 20,000. */
  drainMs?: number;
}

/** Default maximum body, in bytes. */
const bodyLimit = 1_048_576;
/** Maximum JSON values of a longer body, where a route takes one: other requests wait while it is parsed, up to 1 us for each value. */
const maxLongBodyValues = 300_000;
/** Maximum length of a path segment, such as a percent-encoded model or session id. */
const longestSegment = 4096;
/** Largest path and headers, in bytes: a percent-encoded segment takes up to nine bytes a unit. */
const maxHeaderSize = 65_536;

/**
 * Makes a server with the routes `/healthz`, `/readyz` and `/v1/openapi.json`.
 *
 * The order of a request (docs/semantics.md, "Order of checks"): path, 401, 403, `config.resource` (404), body, schema (400), handler. A session
 * whose `projectId` is in the body is authorized after the body was read. `app.close()` drains.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const app = Fastify({
    loggerInstance: withoutChildren(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    // Node answers a request without the header itself, without a request id and a body.
    http: { maxHeaderSize, requireHostHeader: false },
    routerOptions: { maxParamLength: longestSegment, caseSensitive: true },
    trustProxy: options.trustProxy ?? false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestTimeout: 60_000,
    // A client that does not read its answer holds what was made of it, for as long as it lives. No route is silent for as long.
    connectionTimeout: 600_000,
    forceCloseConnections: 'idle',
    // While closing, the hook below answers.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request as FastifyRequest, reply as unknown as FastifyReply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  // Node answers 417 itself, without a request id and a body. The expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const access = new AccessCheck(options.authenticator, options.publicOrigin);
  const routes = new RouteTable();
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.addHook('onRoute', (route) => routes.add(route));
  app.decorate('routeTable', routes);
  app.decorateRequest('access');
  await app.register(swagger, openApi);
  await app.register(cookie);
  await compressAnswers(app);
  parseJson(app);
  drainOnClose(app, options.readiness, options.drainMs ?? 20_000);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // A request with this header does not come from a page: browsers' headers are left out.
    if (request.headers['x-api-key'] === undefined) reply.headers(securityHeaders);
    // Before the body is read: an unknown path is 404 whatever the body.
    if (request.is404) {
      // Reads have no body: the not-found handler answers, unless a feature's hook does.
      if (request.method === 'GET' || request.method === 'HEAD') return;
      throw nothingAt(request, reply, routes);
    }
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new ServiceError('invalid_request', 'The request has no Host header, which HTTP/1.1 requires; send one.');
    if (hasNul(request.params)) throw new ServiceError('invalid_request', 'The path holds a NUL character (%00); leave it out.');
    const { access: declared, resource, answersWhileDraining } = request.routeOptions.config;
    if (!declared) return;
    // A route that lets its answer be kept says so itself.
    if (request.method === 'GET' || request.method === 'HEAD') reply.header('cache-control', 'no-store');
    if (options.readiness.draining && !answersWhileDraining) {
      reply.header('connection', 'close');
      throw new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 });
    }
    await access.beforeBody(request, declared);
    if (resource && !access.needsBody(request, declared)) await resource(request);
  });
  const afterBody = async (request: FastifyRequest) => {
    const { access: declared, resource } = request.routeOptions.config;
    if (!declared || !access.needsBody(request, declared)) return;
    await access.afterBody(request, declared);
    if (resource) await resource(request);
  };
  app.addHook('preValidation', (request, _reply, done) => {
    // Most requests have their project by now; answer synchronously.
    if (request.access?.tenant) done();
    else afterBody(request).then(() => done(), done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.schema?.body === undefined) refuseFields(request.body);
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    // Any value can be thrown, also null.
    if ((error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      await drainBody(request.raw);
      reply.header('connection', 'close');
    }
    return sendError(await firstError(error, request), request, reply);
  });
  app.setNotFoundHandler((request, reply) => sendError(nothingAt(request, reply, routes), request, reply));
  healthRoutes(app, options.readiness);
  openApiRoute(app);
  return app;
}

/** The document is written once: a connection can ask for it a thousand times in one packet, and nobody else is answered meanwhile. */
function openApiRoute(app: FastifyInstance): void {
  let text: Buffer | null = null;
  app.get('/v1/openapi.json', { config: { access: { who: 'public' } }, schema: { hide: true } }, (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type(jsonType).send(text);
  });
}

/** The error of an invalid request, or that its resource is missing, which comes first. */
async function firstError(error: unknown, request: FastifyRequest): Promise<unknown> {
  const { resourceIfInvalid } = request.routeOptions.config;
  if (!resourceIfInvalid || !(error instanceof RequestInvalid)) return error;
  try {
    await resourceIfInvalid(request);
    return error;
  } catch (missing) {
    return missing;
  }
}

/** Avoids a child logger per request: log lines name the request themselves, and most requests log nothing. */
function withoutChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.assign(Object.create(log) as FastifyBaseLogger, { child: () => shared });
  return shared;
}

/** Parses JSON. An empty body counts as absent, which the route's schema judges. */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readWhole(request, payload);
    if (bytes.length === 0) return undefined;
    if (bytes.length > bodyLimit && holdsMoreValues(bytes, maxLongBodyValues))
      throw new ServiceError('payload_too_large', `The body has more than ${maxLongBodyValues} JSON values; send fewer.`);
    // Other bytes would be stored as U+FFFD.
    if (!isUtf8(bytes)) throw new ServiceError('invalid_request', 'The body is not UTF-8; send it encoded in UTF-8.');
    const text = bytes.toString('utf8');
    return new Promise((resolve, reject) => {
      void parse(request, text, (error, value) => {
        if (error) reject(unreadable(text, error));
        else resolve(value);
      });
    });
  });
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

/** PostgreSQL rejects NUL in a text, and no id contains one. */
function hasNul(params: unknown): boolean {
  return Object.values(params as Record<string, unknown>).some((value) => typeof value === 'string' && value.includes('\0'));
}

function nothingAt(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): ServiceError {
  const methods = routes.methodsAt(request.url);
  if (methods.length === 0)
    return new ServiceError('not_found', 'There is nothing at this path; GET /v1/openapi.json lists all endpoints.');
  reply.header('allow', methods.join(', '));
  return new ServiceError('method_not_allowed', `This path does not take ${request.method}; use ${methods.join(' or ')}.`);
}

/** Sends an error as JSON, and logs an internal one with its cause. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = publicError(error);
  if (sent.status === 500)
    request.log.error({ err: error, requestId: request.id, route: request.routeOptions?.url }, sent.message);
  reply.header('x-request-id', request.id);
  if (sent.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(sent.retryAfterSeconds))));
  return reply.code(sent.status).type(jsonType).send(errorBody(sent));
}
