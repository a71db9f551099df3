import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import type { Access } from './access.ts';
import { withReferences } from './openapi-references.ts';
import type { Document } from './openapi-references.ts';
import { addSchemas, describeRoute } from './openapi-schemas.ts';

type Described = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transform']>>[0];

const byCookie = [{ session: [] }];
const bySession = [...byCookie, { token: [] }];
const byKey = [{ apiKey: [] }, { apiKeyAsToken: [] }];

function securityOf(access: Access): Array<Record<string, string[]>> {
  switch (access.who) {
    case 'public':
      // None is needed, and a session or token counts.
      return access.whoever ? [{}, ...bySession] : [];
    case 'key':
      return byKey;
    case 'session':
      return access.tokens === false ? byCookie : bySession;
    case 'key-or-session':
      return [...byKey, ...bySession];
  }
}

/** The OpenAPI document, generated from the schemas that validate requests and the declared access (docs/semantics.md, "OpenAPI document"). */
export const openApi: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Spanwise',
      version: '1.0.0',
      description: 'Observability and governance for applications that call language models.',
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A project API key, spw_...' },
        apiKeyAsToken: { type: 'http', scheme: 'bearer', description: 'A project API key, spw_..., for OTLP exporters' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'spanwise_session',
          description: 'Set by POST /v1/auth/login; behind TLS its name is __Host-spanwise_session',
        },
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token, spwu_...' },
      },
    },
  },
  transform: (document) => {
    const config: FastifyContextConfig = document.route.config ?? {};
    const described = { ...document, schema: completed(document, config) };
    const { schema, url } = describeRoute(described as Parameters<typeof describeRoute>[0]);
    const operation = { security: config.access ? securityOf(config.access) : [], ...operationId(document) };
    // Two packages declare the same schema type differently.
    return { schema: { ...(schema as object), ...operation } as never, url };
  },
  transformObject: (document) => withReferences(addSchemas(document) as Document) as never,
};

/** The schema of a route with the body that it reads itself, and with the refusals that every route of its kind has. */
function completed({ schema, route }: Described, config: FastifyContextConfig): FastifySchema {
  const { access, ownBody, answersWhileDraining } = config;
  const { body = ownBody, params, querystring, response = {} } = (schema ?? {}) as FastifySchema & { response?: object };
  const isRead = ['GET', 'HEAD'].includes(String(route.method));
  const refusals = {
    // An unknown query parameter is refused everywhere.
    400: errorBody,
    ...(access ? refusalsOf(access) : {}),
    ...(params ? { 404: errorBody } : {}),
    ...(isRead ? {} : { 413: errorBody, 415: errorBody }),
    ...(answersWhileDraining ? {} : { 503: errorBody }),
  };
  // Of a route that answers alike whatever is sent, nothing is added.
  const isFixed = Object.keys(response).length === 1 && '501' in response;
  return {
    ...schema,
    ...(body ? { body } : {}),
    ...inline('params', params),
    ...inline('querystring', querystring),
    response: isFixed ? response : { ...refusals, ...response },
  };
}

/** A copy of a schema, which has no name: parameters are described one by one. */
function inline(part: 'params' | 'querystring', schema: unknown): object {
  const { def, clone } = (schema ?? {}) as Partial<z.ZodType>;
  return def && clone ? { [part]: clone(def) } : {};
}

function refusalsOf(access: Access): object {
  switch (access.who) {
    case 'public':
      return access.byCookie ? { 403: errorBody } : {};
    case 'key':
      return { 401: errorBody, 429: errorBody };
    case 'session':
      return { ...(access.anonymous === 401 ? { 401: errorBody } : {}), 403: errorBody, 429: errorBody };
    case 'key-or-session':
      return { 401: errorBody, 403: errorBody, 429: errorBody };
  }
}

/** `getV1ProjectsIdTraces` for `GET /v1/projects/{id}/traces`. One declared for several methods has none. */
function operationId({ route, url }: Described): { operationId?: string } {
  if (typeof route.method !== 'string') return {};
  const words = url.match(/[A-Za-z0-9]+/g) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { operationId: `${route.method.toLowerCase()}${name}` };
}
