import { distance } from 'fastest-levenshtein';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { ErrorDetail } from '../../contract/errors.ts';
import { RequestInvalid } from './request-validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters of the route; null: any. Set when the route is added. */
    parameters?: readonly string[] | null;
  }
  interface FastifyRequest {
    /** That the query has unknown parameters, which is answered once the handler has found the object of the path. */
    parameterError: RequestInvalid | null;
  }
}

/** Maximum problems in one answer. */
const maxDetails = 20;
/** Characters of a name in an answer. A longer one is not near any parameter. */
const longestName = 64;

/**
 * The query parameters that a route takes: those of its schema. Null: any.
 *
 * Throws for a schema that is no object, whose parameters cannot be known.
 */
function parametersOf({ schema, config, url }: RouteOptions): readonly string[] | null {
  if (config?.anyQuery) return null;
  // A session names its project there.
  const ofProject = config?.access?.who === 'key-or-session' && !url.includes('/projects/:id') ? ['projectId'] : [];
  const query = schema?.querystring;
  if (query === undefined) return ofProject;
  // A transformed object validates as the object first.
  const object = query instanceof z.ZodPipe ? query.in : query;
  if (!(object instanceof z.ZodObject)) throw new Error(`the query of ${url} is no object; declare it as one`);
  return [...new Set([...Object.keys(object.shape), ...ofProject])];
}

/**
 * Refuses query parameters that the route does not have (docs/semantics.md, "Query parameters"): a misspelt filter would return everything. `projectId`
 * is taken from an API key, which has a project of its own.
 *
 * Errors: {@link RequestInvalid} with the nearest name.
 */
function refuseUnknownParameters(request: FastifyRequest): void {
  const { parameters } = request.routeOptions.config;
  if (!parameters) return;
  const details: ErrorDetail[] = [];
  for (const name in request.query as Record<string, unknown>) {
    if (parameters.includes(name) || (name === 'projectId' && request.access.caller?.kind === 'key')) continue;
    details.push({ path: `?${name.slice(0, longestName)}`, message: messageFor(name, parameters) });
    if (details.length === maxDetails) break;
  }
  if (details.length === 0) return;
  const error = new RequestInvalid(details);
  error.validationContext = 'querystring';
  if (!looksUpInHandler(request)) throw error;
  request.parameterError = error;
}

/** Whether only the handler knows that the object of a read's path exists. The read is done then, and its answer replaced. */
function looksUpInHandler({ method, params, routeOptions: { config, schema } }: FastifyRequest): boolean {
  if (config.resource || config.resourceIfInvalid || schema?.querystring || (method !== 'GET' && method !== 'HEAD')) return false;
  return Object.keys(params as object).some((name) => name !== 'id' && name !== 'orgId');
}

/** Adds the check to the requests of a server. */
export function checkParameters(app: FastifyInstance): void {
  app.decorateRequest('parameterError', null);
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, parameters: parametersOf(route) };
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.is404) refuseUnknownParameters(request);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const error = request.parameterError;
    if (error === null || reply.statusCode >= 400) return done(null, payload);
    request.parameterError = null;
    if (payload instanceof Readable) payload.destroy();
    done(error);
  });
}

function messageFor(name: string, parameters: readonly string[]): string {
  const near = nearest(name, parameters);
  return near === undefined
    ? 'is not a parameter of this path; leave it out'
    : `is not a parameter of this path. Did you mean ${near}?`;
}

/** The parameter that a misspelt name means: two of its characters differ, or a third of them, beside their case. */
function nearest(name: string, parameters: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const given = name.toLowerCase();
  const ranked = parameters
    .map((parameter) => ({ parameter, edits: distance(given, parameter.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits);
  const [best] = ranked;
  return best && best.edits < given.length && best.edits <= Math.max(2, given.length / 3) ? best.parameter : undefined;
}
