import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import type { Authenticator } from './access.ts';
import { AccessCheck } from './access-check.ts';
import { answerClientError } from './client-error.ts';
import { compressAnswers } from './compress-answers.ts';
import { drainOnClose } from './drain.ts';
import { errorBody, loggable, publicError } from './errors.ts';
import { healthRoutes } from './health-routes.ts';
import { openApi } from './openapi.ts';
import type { Readiness } from './readiness.ts';
import { requestId } from './request-id.ts';
import { validateRequest } from './request-validation.ts';
import { RouteTable } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';
import './request-access.ts';

/** The HTTP server as features see it: Fastify with zod schemas. */
export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export interface ServerOptions {
  log: FastifyBaseLogger;
  authenticator: Authenticator;
  /** Scheme, host and port under which browsers know the service, asked for at each request since the port may be chosen late. */
  publicOrigin(): string;
  readiness: Readiness;
  trustProxy?: boolean;
  /** Longest that closing waits for requests under way; default 20 s. */
  drainMs?: number;
}

/** Largest body of routes that do not say otherwise. */
const bodyLimit = 1_048_576;
/** Longest path segment: a model or session id, percent-encoded. */
const longestSegment = 4096;

/**
 * Makes a server without routes of its own but `/healthz`, `/readyz` and `/v1/openapi.json`.
 *
 * The order of a request (contract section 1): path, 401, 403, `config.resource` (404), body, schema (400), handler. Only a session
 * whose `projectId` stands in the body is looked at after the body was read. `app.close()` drains.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const app = Fastify({
    loggerInstance: withoutChildren(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    routerOptions: { maxParamLength: longestSegment, caseSensitive: true },
    trustProxy: options.trustProxy ?? false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // While closing, the hook below answers, in the service's own words.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request as FastifyRequest, reply as unknown as FastifyReply);
    },
  }).withTypeProvider<ZodTypeProvider>();
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
    // No browser sends this header unless a script of ours does; whoever does is spared what is for browsers alone.
    if (request.headers['x-api-key'] === undefined) reply.headers(securityHeaders);
    // Here, before the body is read: what stands in it does not matter where nothing is.
    if (request.is404) throw nothingAt(request, reply, routes);
    if (hasNul(request.params)) throw new ServiceError('invalid_request', 'The path holds a NUL character (%00); leave it out.');
    const { access: declared, resource, answersWhileDraining } = request.routeOptions.config;
    if (!declared) return;
    if (options.readiness.draining && !answersWhileDraining) {
      reply.header('connection', 'close');
      throw new ServiceError('unavailable', 'The service is going down for a moment; send this again.', { retryAfterSeconds: 5 });
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
    // Most requests have their project by now, and wait for nothing.
    if (request.access?.tenant) done();
    else afterBody(request).then(() => done(), done);
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(nothingAt(request, reply, routes), request, reply));
  healthRoutes(app, options.readiness);
  app.get('/v1/openapi.json', { config: { access: { who: 'public' } }, schema: { hide: true } }, () => app.swagger());
  return app;
}

/** Fastify makes a logger for each request. What is logged here names the request itself, and most requests log nothing. */
function withoutChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.assign(Object.create(log) as FastifyBaseLogger, { child: () => shared });
  return shared;
}

/** An empty body is no body: what is missing is said by the route's schema. */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') {
      done(null, undefined);
      return;
    }
    void parse(request, body as string, (error, value) => {
      if (error) done(new ServiceError('invalid_request', unreadable(body as string), { cause: error }));
      else done(null, value);
    });
  });
}

/**
 * What is wrong with a body that Fastify's parser refuses: it is no JSON, or it has a member by which JavaScript programs have been made to
 * change their own objects. Such a member is refused rather than dropped, since dropping it would store something else than was sent.
 */
function unreadable(body: string): string {
  try {
    JSON.parse(body);
    return 'The body has a member named __proto__, or a constructor with a prototype in it, which cannot be taken here; rename it.';
  } catch {
    return 'The body is not valid JSON; correct it and send it again.';
  }
}

/** PostgreSQL refuses it in a text, and no id has one. */
function hasNul(params: unknown): boolean {
  return Object.values(params as Record<string, unknown>).some((value) => typeof value === 'string' && value.includes('\0'));
}

function nothingAt(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): ServiceError {
  const methods = routes.methodsAt(request.url);
  if (methods.length === 0)
    return new ServiceError('not_found', 'There is nothing at this path; GET /v1/openapi.json lists what there is.');
  reply.header('allow', methods.join(', '));
  return new ServiceError('method_not_allowed', `This path does not take ${request.method}; use ${methods.join(' or ')}.`);
}

/** Answers an error as JSON, and logs what the caller is not told. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const told = publicError(error);
  if (told.status === 500)
    request.log.error({ err: loggable(error), requestId: request.id, route: request.routeOptions?.url }, told.message);
  reply.header('x-request-id', request.id);
  if (told.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(told.retryAfterSeconds))));
  return reply.code(told.status).type('application/json; charset=utf-8').send(errorBody(told));
}
