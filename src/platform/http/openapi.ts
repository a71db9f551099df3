import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Access } from './access.ts';

const bySession = [{ session: [] }, { token: [] }];
const byKey = [{ apiKey: [] }, { apiKeyAsToken: [] }];

const security: Readonly<Record<Access['who'], Array<Record<string, string[]>>>> = {
  public: [],
  key: byKey,
  session: bySession,
  'key-or-session': [...byKey, ...bySession],
};

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
        session: { type: 'apiKey', in: 'cookie', name: 'spanwise_session', description: 'Set by POST /v1/auth/login' },
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token, spwu_...' },
      },
    },
  },
  transform: (document) => {
    const { schema, url } = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0]);
    const { access } = document.route.config ?? {};
    // Two packages declare the same schema type differently.
    return { schema: { ...(schema as object), security: access ? security[access.who] : [] } as never, url };
  },
};
