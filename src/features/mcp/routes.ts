import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, projectIdQuery } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import {
  actorOf,
  administers,
  callerOf,
  hasScope,
  jsonType,
  lackingScope,
  mayUse,
  requireScope,
  sameOrigin,
  tenantOf,
} from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { takeToken } from '../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';
import type { McpPorts } from './mcp-ports.ts';
import type { Session } from './serve-messages.ts';
import { tools } from './tools/index.ts';

export interface McpContext {
  ports: McpPorts;
  /** A bucket for each key and each user. */
  buckets: RateLimit;
  publicOrigin(): string;
}

/** A page of a browser has no use for the protocol, and its cookie would let any page of the same site speak it. */
const access: Access = { who: 'key-or-session', permission: 'dashboard:read', cookies: false, keyScopes: 'any' };
/** Messages of one request: clients of the protocol's version of March 2025 may send several. */
const maxMessages = 10;

const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional().describe('left out of a notification'),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const form = `must be a JSON-RPC message, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, or an array of 1 to ${maxMessages} of them`;
const tooMany = `must have at most ${maxMessages} messages; send the others in a request of their own`;
const body = z.union([message, z.array(message).min(1, { error: form }).max(maxMessages)], {
  error: ({ input }) => (Array.isArray(input) && input.length > maxMessages ? tooMany : form),
});
const query = projectIdQuery.extend({
  write: z.enum(['true', 'false']).default('false').describe('true: also the tools that write, as far as the caller may'),
});
const answers = {
  200: z.union([z.looseObject({ jsonrpc: z.literal('2.0') }), z.array(z.looseObject({}))]).describe('the JSON-RPC answer'),
  202: z.null().describe('there were notifications only; without a body'),
};
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 429: errorBody };

/** The server of the Model Context Protocol (docs/semantics.md, "MCP"). */
export function mcpRoutes(app: Server, context: McpContext): void {
  app.post(
    '/mcp',
    {
      config: { access, body: 'texts', uncounted: true },
      schema: {
        tags: ['mcp'],
        summary: 'Model Context Protocol: one JSON-RPC message, over stateless Streamable HTTP',
        querystring: query,
        body,
        response: { ...answers, ...refusals },
      },
      onRequest: (request, _reply, next) => admit(context, request, next),
      onSend: (_request, reply, payload, done) => {
        if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer realm="spanwise"');
        done(null, payload);
      },
    },
    async (request, reply) => {
      // Loads the protocol's library, some 30 MB that few services need.
      const { protocolVersions, serveMessages } = await import('./serve-messages.ts');
      const text = await serveMessages(
        { body: request.body, protocolVersion: protocolVersionOf(request, protocolVersions) },
        sessionOf(context, request, request.query.write === 'true'),
      );
      // null would be sent as JSON.
      if (text === '') return reply.code(202).send(undefined as never);
      return reply
        .code(200)
        .type(jsonType)
        .serializer(String)
        .send(text as never);
    },
  );
  app.route({
    method: ['GET', 'DELETE', 'PUT', 'PATCH'],
    url: '/mcp',
    config: { access: { who: 'public' } },
    schema: { hide: true },
    onRequest: (request, reply, next) => {
      void next;
      noStream(request, reply);
    },
    handler: noStream,
  });
}

/** There are no sessions, and so no stream of one to open or to end. */
function noStream(_request: FastifyRequest, reply: FastifyReply): never {
  reply.header('allow', 'POST');
  throw new ServiceError('method_not_allowed', 'This server is stateless; send each message with POST.');
}

/** Refuses pages of other origins, as the protocol asks, and takes a token of the caller's bucket. */
function admit({ buckets, publicOrigin }: McpContext, request: FastifyRequest, next: (error?: Error) => void): void {
  const { origin } = request.headers;
  if (origin !== undefined && !sameOrigin(origin, publicOrigin())) {
    next(
      new ServiceError(
        'forbidden',
        'This request comes from a page of another origin; connect an MCP client outside of the browser.',
      ),
    );
    return;
  }
  const caller = callerOf(request);
  const key = caller.kind === 'key' ? caller.keyId : caller.userId;
  takeToken(buckets, key, 'This caller sends more than 300 MCP requests a minute; send them less often.', next);
}

/** Errors: `invalid_request` for a version that is not one of those that the server knows. */
function protocolVersionOf(request: FastifyRequest, known: readonly string[]): string | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined) return undefined;
  if (typeof version === 'string' && known.includes(version)) return version;
  throw new ServiceError(
    'invalid_request',
    `Send one of these in mcp-protocol-version: ${known.join(', ')}; or leave the header out.`,
  );
}

function sessionOf({ ports }: McpContext, request: FastifyRequest, isWriting: boolean): Session {
  const hasRight = (permission: (typeof tools)[number]['permission']) => permission === undefined || mayUse(request, permission);
  return {
    call: {
      tenant: tenantOf(request),
      actor: actorOf(request),
      administers: administers(request),
      ports,
      noteScope: (needed) => requireScope(request, needed),
    },
    tools: tools.filter(
      ({ permission, keyScopes }) =>
        hasScope(request, keyScopes) && (permission === undefined || (isWriting && hasRight(permission))),
    ),
    refusalOf: (name) => {
      const tool = tools.find((one) => one.name === name);
      if (!tool) return undefined;
      if (!hasScope(request, tool.keyScopes)) return lackingScope(tool.keyScopes).message;
      return hasRight(tool.permission)
        ? 'This connection reads only; connect with /mcp?write=true to use tools that write.'
        : `Your role lacks the permission ${tool.permission}; ask an owner or admin of the organization.`;
    },
    onError: (error) => request.log.error({ err: error, requestId: request.id }, 'a tool failed'),
  };
}
