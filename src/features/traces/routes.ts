import type { FastifyRequest } from 'fastify';
import { spanMapping, spanParams } from '../../contract/span-mapping.ts';
import { traceComparison, traceComparisonQuery } from '../../contract/trace-comparison.ts';
import * as spansWire from '../../contract/spans.ts';
import * as usersWire from '../../contract/users.ts';
import * as wire from '../../contract/traces.ts';
import { actingOf, jsonType, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { z } from 'zod';
import { compareTraces } from './comparison/compare-traces.ts';
import { listFilterFields } from './filter/list-filter-fields.ts';
import { suggestFilter } from './filter/suggest-filter.ts';
import { countTraces } from './count-traces.ts';
import { deleteTrace } from './delete-trace.ts';
import { getSession } from './get-session.ts';
import { getSpanMapping } from './get-span-mapping.ts';
import { getSpans, getTrace, getTracePayloads } from './get-trace.ts';
import { limitOfPage, pageOrLines, sendLines, wantsLines } from './list-lines.ts';
import { listSessions } from './list-sessions.ts';
import { listTraces } from './list-traces.ts';
import { countSpans } from './span-list/count-spans.ts';
import { listFacets } from './span-list/list-facets.ts';
import { listSpans } from './span-list/list-spans.ts';
import { namedViewExists } from '../views/index.ts';
import type { TracesContext } from './traces-context.ts';
import { checkUserExists, getUser } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';

const tags = ['traces'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
const deleting: Access = { who: 'session', scope: 'project', permission: 'traces:delete' };

/** Routes of traces and sessions (docs/semantics.md, "Traces"). */
export function traceRoutes(app: Server, context: TracesContext): void {
  const traceExists = async (request: FastifyRequest) => {
    const { traceId } = request.params as { traceId: string };
    await getTracePayloads(context, tenantOf(request), traceId);
  };
  route(app, 'GET', '/v1/projects/:id/traces', {
    access: reading,
    tags,
    summary: 'List traces',
    params: wire.tracesParams,
    query: wire.traceLinesQuery,
    produces: pageOrLines,
    answer: wire.tracePage,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request, reply) => {
      const tenant = tenantOf(request);
      const query = await context.views.withView(actingOf(request), request.query, 'traces');
      if (!wantsLines(request)) return listTraces(context, tenant, { ...query, limit: limitOfPage(query.limit) });
      return sendLines(reply, query, async (page) => {
        const { traces, nextCursor } = await listTraces(context, tenant, { ...query, ...page });
        return { records: traces, nextCursor };
      });
    },
  });
  route(app, 'GET', '/v1/projects/:id/trace-counts', {
    access: reading,
    tags,
    summary: 'Number of traces over time',
    params: wire.tracesParams,
    query: wire.traceCountsQuery,
    answer: wire.traceCounts,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request) =>
      countTraces(context, tenantOf(request), await context.views.withView(actingOf(request), request.query, 'traces')),
  });
  route(app, 'GET', '/v1/projects/:id/filter-fields', {
    access: reading,
    tags,
    summary: 'Fields of filters',
    params: wire.tracesParams,
    query: wire.filterFieldsQuery,
    answer: wire.filterFieldList,
    handle: (request) => listFilterFields(request.query.on),
  });
  route(app, 'POST', '/v1/projects/:id/filter-suggestions', {
    access: reading,
    tags,
    summary: 'Completions of a filter',
    params: wire.tracesParams,
    body: wire.filterSuggestionsBody,
    answer: wire.filterSuggestions,
    handle: async (request) => ({ items: await suggestFilter(context, tenantOf(request), request.body) }),
  });
  route(app, 'GET', '/v1/projects/:id/traces/:traceId', {
    access: reading,
    resourceIfInvalid: traceExists,
    tags,
    summary: 'One trace with its spans',
    params: wire.traceParams,
    query: wire.traceQuery,
    answer: z.union([wire.traceDetail, wire.traceOutline]),
    handle: async (request, reply) => {
      const body = await getTrace(context, tenantOf(request), request.params.traceId, request.query.payloads);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'GET', '/v1/projects/:id/traces/:traceId/payloads', {
    access: reading,
    tags,
    summary: 'Input, output and metadata of a trace',
    params: wire.traceParams,
    answer: wire.tracePayloads,
    handle: async (request, reply) => {
      const body = await getTracePayloads(context, tenantOf(request), request.params.traceId);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'GET', '/v1/projects/:id/traces/:traceId/spans', {
    access: reading,
    resourceIfInvalid: traceExists,
    tags,
    summary: 'Some spans of a trace',
    params: wire.traceParams,
    query: wire.spansQuery,
    answer: wire.spanList,
    handle: async (request, reply) => {
      const { params, query } = request;
      const body = await getSpans(context, tenantOf(request), params.traceId, query.spanId);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'GET', '/v1/projects/:id/traces/:traceId/spans/:spanId/mapping', {
    access: reading,
    tags,
    summary: 'Which convention filled which field of a span',
    params: spanParams,
    answer: spanMapping,
    handle: async (request, reply) => {
      const { traceId, spanId } = request.params;
      const body = await getSpanMapping(context, tenantOf(request), traceId, spanId);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'DELETE', '/v1/projects/:id/traces/:traceId', {
    access: deleting,
    tags,
    summary: 'Delete a trace',
    params: wire.traceParams,
    answer: 204,
    handle: (request) => deleteTrace(context, actingOf(request), request.params.traceId),
  });
  route(app, 'DELETE', '/v1/projects/:id/traces', {
    access: deleting,
    tags,
    summary: 'Delete a trace that is named in the query',
    params: wire.tracesParams,
    query: wire.deletedTraceQuery,
    answer: 204,
    handle: (request) => deleteTrace(context, actingOf(request), request.query.traceId),
  });
  route(app, 'GET', '/v1/projects/:id/trace-comparison', {
    access: reading,
    tags,
    summary: 'Two traces side by side',
    params: wire.tracesParams,
    query: traceComparisonQuery,
    answer: traceComparison,
    handle: async (request, reply) => {
      const body = await compareTraces(context, tenantOf(request), request.query);
      return reply.type(jsonType).send(body as never);
    },
  });
  spanRoutes(app, context);
  sessionRoutes(app, context);
  userRoutes(app, context);
}

function spanRoutes(app: Server, context: TracesContext): void {
  route(app, 'GET', '/v1/projects/:id/spans', {
    access: reading,
    tags,
    summary: 'List spans',
    params: wire.tracesParams,
    query: spansWire.spanLinesQuery,
    produces: pageOrLines,
    answer: spansWire.spanPage,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request, reply) => {
      const tenant = tenantOf(request);
      const query = await context.views.withView(actingOf(request), request.query, 'spans');
      if (!wantsLines(request)) return listSpans(context, tenant, { ...query, limit: limitOfPage(query.limit) });
      return sendLines(reply, query, async (page) => {
        const { spans, nextCursor } = await listSpans(context, tenant, { ...query, ...page });
        return { records: spans, nextCursor };
      });
    },
  });
  route(app, 'GET', '/v1/projects/:id/span-counts', {
    access: reading,
    tags,
    summary: 'Number of spans over time',
    params: wire.tracesParams,
    query: spansWire.spanCountsQuery,
    answer: spansWire.spanCounts,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request) =>
      countSpans(context, tenantOf(request), await context.views.withView(actingOf(request), request.query, 'spans')),
  });
  route(app, 'GET', '/v1/projects/:id/facets', {
    access: reading,
    tags,
    summary: 'Values of fields with their counts',
    params: wire.tracesParams,
    query: spansWire.facetsQuery,
    answer: spansWire.facetList,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request) =>
      listFacets(context, tenantOf(request), await context.views.withView(actingOf(request), request.query, request.query.on)),
  });
}

function sessionRoutes(app: Server, context: TracesContext): void {
  route(app, 'GET', '/v1/projects/:id/sessions', {
    access: reading,
    tags,
    summary: 'List sessions',
    params: wire.tracesParams,
    query: wire.listSessionsQuery,
    answer: wire.sessionPage,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request) =>
      listSessions(context, tenantOf(request), await context.views.withView(actingOf(request), request.query, 'sessions')),
  });
  route(app, 'GET', '/v1/projects/:id/sessions/:sessionId', {
    access: reading,
    tags,
    summary: 'One session with its traces',
    params: wire.sessionParams,
    answer: wire.sessionDetail,
    handle: (request) => getSession(context, tenantOf(request), request.params.sessionId),
  });
}

function userRoutes(app: Server, context: TracesContext): void {
  route(app, 'GET', '/v1/projects/:id/users', {
    access: reading,
    tags,
    summary: 'List the users of the application',
    params: wire.tracesParams,
    query: usersWire.listUsersQuery,
    answer: usersWire.applicationUserPage,
    resourceIfInvalid: namedViewExists(context.views),
    handle: async (request) =>
      listUsers(context, tenantOf(request), await context.views.withView(actingOf(request), request.query, 'traces')),
  });
  route(app, 'GET', '/v1/projects/:id/users/:userId', {
    access: reading,
    resourceIfInvalid: (request) => checkUserExists(context, tenantOf(request), (request.params as { userId: string }).userId),
    tags,
    summary: 'One user of the application over a range',
    params: usersWire.userParams,
    query: usersWire.userQuery,
    answer: usersWire.applicationUserDetail,
    handle: (request) => getUser(context, tenantOf(request), request.params.userId, request.query),
  });
}
