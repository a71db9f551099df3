import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../../contract/errors.ts';
import { inRequest } from '../request-scope/index.ts';
import type { TrustedProxies } from '../net/index.ts';
import { RequestRates } from '../budgets/index.ts';
import type { Clock } from '../clock/clock.ts';
import type { Authenticator } from './access.ts';
import { AccessCheck } from './access-check.ts';
import { answerClientError } from './client-error.ts';
import { compressAnswers } from './compress-answers.ts';
import { drainBody } from './drain-body.ts';
import { drainOnClose } from './drain.ts';
import { errorBody, publicError } from './errors.ts';
import { healthRoutes } from './health-routes.ts';
import { limitConnections } from './limit-connections.ts';
import { openApi } from './openapi.ts';
import type { Readiness } from './readiness.ts';
import { callerKey } from './request-access.ts';
import { limitBody, parseJson } from './read-json.ts';
import { requestId } from './request-id.ts';
import { refuseFields, RequestInvalid, validateRequest } from './request-validation.ts';
import { RouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';
import { jsonType } from './media-types.ts';
import type { Server } from './server-type.ts';
import { boundUnreadAnswers } from './unread-answers.ts';
import type { UnreadLimits } from './unread-answers.ts';
import { checkParameters } from './unknown-parameters.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  authenticator: Authenticator;
  /** Scheme, host and port under which browsers know the service. Called at each request, since the port may be chosen late. */
  publicOrigin(): string;
  readiness: Readiness;
  /** The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Default: none. */
  trustProxy?: TrustedProxies;
  clock: Clock;
  /** Default: those of `work.ts`, and 30 s. */
  unread?: UnreadLimits;
  /** Milliseconds that closing waits for requests in progress; default 20,000. */
  drainMs?: number;
  /** Connections at a time; null without a limit. See {@link limitConnections}. */
  maxConnections?: number | null;
}

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
    // Node answers a request without the header itself, without a request id and a body.
    http: { maxHeaderSize, requireHostHeader: false },
    routerOptions: { maxParamLength: longestSegment, caseSensitive: true },
    trustProxy: trustedBy(options.trustProxy ?? false),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestTimeout: 60_000,
    // Of connections on which nobody sends anything. No route is silent for as long.
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
  const routes = new RouteTable();
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.addHook('onRoute', (route) => {
    routes.add(route);
    limitBody(route);
  });
  app.decorate('routeTable', routes);
  app.decorateRequest('access');
  boundUnreadAnswers(app, options.unread);
  await app.register(swagger, openApi);
  await app.register(cookie);
  await compressAnswers(app);
  parseJson(app);
  drainOnClose(app, options.readiness, options.drainMs ?? 20_000);
  if (typeof options.maxConnections === 'number') limitConnections(app, options.maxConnections);
  app.addHook('onRequest', (_request, reply, done) => inRequest(reply.raw, done));
  checkRequests(app, options, routes);
  app.setErrorHandler(async (error, request, reply) => {
    // Any value can be thrown, also null.
    if ((error as { code?: unknown } | null)?.code === 'payload_too_large' && !request.raw.readableEnded) {
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

/** The checks of every request before its handler, in the order of docs/semantics.md, "Order of checks". */
function checkRequests(app: Server, options: ServerOptions, routes: RouteTable): void {
  const access = new AccessCheck(options.authenticator, options.publicOrigin);
  const rates = new RequestRates(options.clock);
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
    if (!request.routeOptions.config.uncounted)
      rates.take(request.access.caller ? 'authenticatedRequests' : 'publicRequests', callerKey(request));
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
  checkParameters(app);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.schema?.body === undefined) refuseFields(request.body);
    done();
  });
}

/** Fastify's setting: it goes from the connection to the left, over all header lines. A number would trust nobody, since it does not say who connects. */
function trustedBy(proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies === false ? false : [...proxies];
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
