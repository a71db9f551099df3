import type { FastifyRequest } from 'fastify';
import { errorBody } from '../../contract/common.ts';
import { spanMapping, spanParams } from '../../contract/span-mapping.ts';
import * as wire from '../../contract/traces.ts';
import { jsonType, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { z } from 'zod';
import { countTraces } from './count-traces.ts';
import { deleteTrace } from './delete-trace.ts';
import { getSession } from './get-session.ts';
import { getSpanMapping } from './get-span-mapping.ts';
import { getSpans, getTrace, getTracePayloads } from './get-trace.ts';
import { listSessions } from './list-sessions.ts';
import { listTraces } from './list-traces.ts';
import type { TracesContext } from './traces-context.ts';

const tags = ['traces'];
const reading: { access: Access } = { access: { who: 'key-or-session', permission: 'dashboard:read' } };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };

/** Routes of traces and sessions (docs/semantics.md, "Traces"). */
export function traceRoutes(app: Server, context: TracesContext): void {
  const traceExists = async (request: FastifyRequest) => {
    const { traceId } = request.params as { traceId: string };
    await getTracePayloads(context, tenantOf(request), traceId);
  };
  app.get(
    '/v1/projects/:id/traces',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List traces',
        params: wire.projectParams,
        querystring: wire.listTracesQuery,
        response: { 200: wire.tracePage, ...refusals },
      },
    },
    (request) => listTraces(context, tenantOf(request), request.query),
  );
  app.get(
    '/v1/projects/:id/trace-counts',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Number of traces over time',
        params: wire.projectParams,
        querystring: wire.traceCountsQuery,
        response: { 200: wire.traceCounts, ...refusals },
      },
    },
    (request) => countTraces(context, tenantOf(request), request.query),
  );
  app.get(
    '/v1/projects/:id/traces/:traceId',
    {
      config: { ...reading, resourceIfInvalid: traceExists },
      schema: {
        tags,
        summary: 'One trace with its spans',
        params: wire.traceParams,
        querystring: wire.traceQuery,
        response: { 200: z.union([wire.traceDetail, wire.traceOutline]), ...refusals },
      },
    },
    async (request, reply) => {
      const body = await getTrace(context, tenantOf(request), request.params.traceId, request.query.payloads);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.get(
    '/v1/projects/:id/traces/:traceId/payloads',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Input, output and metadata of a trace',
        params: wire.traceParams,
        response: { 200: wire.tracePayloads, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await getTracePayloads(context, tenantOf(request), request.params.traceId);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.get(
    '/v1/projects/:id/traces/:traceId/spans',
    {
      config: { ...reading, resourceIfInvalid: traceExists },
      schema: {
        tags,
        summary: 'Some spans of a trace',
        params: wire.traceParams,
        querystring: wire.spansQuery,
        response: { 200: wire.spanList, ...refusals },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const body = await getSpans(context, tenantOf(request), params.traceId, query.spanId);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.get(
    '/v1/projects/:id/traces/:traceId/spans/:spanId/mapping',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Which convention filled which field of a span',
        params: spanParams,
        response: { 200: spanMapping, ...refusals },
      },
    },
    async (request, reply) => {
      const { traceId, spanId } = request.params;
      const body = await getSpanMapping(context, tenantOf(request), traceId, spanId);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.delete(
    '/v1/projects/:id/traces/:traceId',
    {
      config: { access: { who: 'session', scope: 'project', permission: 'datasets:manage' } },
      schema: { tags, summary: 'Delete a trace', params: wire.traceParams, response: { 204: z.null(), ...refusals } },
    },
    async (request, reply) => {
      await deleteTrace(context, tenantOf(request), request.params.traceId);
      return reply.code(204).send(null);
    },
  );
  sessionRoutes(app, context);
}

function sessionRoutes(app: Server, context: TracesContext): void {
  app.get(
    '/v1/projects/:id/sessions',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List sessions',
        params: wire.projectParams,
        querystring: wire.listSessionsQuery,
        response: { 200: wire.sessionPage, ...refusals },
      },
    },
    (request) => listSessions(context, tenantOf(request), request.query),
  );
  app.get(
    '/v1/projects/:id/sessions/:sessionId',
    {
      config: reading,
      schema: {
        tags,
        summary: 'One session with its traces',
        params: wire.sessionParams,
        response: { 200: wire.sessionDetail, ...refusals },
      },
    },
    (request) => getSession(context, tenantOf(request), request.params.sessionId),
  );
}
