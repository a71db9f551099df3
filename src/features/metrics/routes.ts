import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvLinesOf } from '../../contract/metrics/csv.ts';
import { metricAnswer, metricFields, metricQueryBody, metricQueryText } from '../../contract/metrics/query.ts';
import { tracesParams as params } from '../../contract/traces.ts';
import { accepts, actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { listMetricFields } from './list-fields.ts';
import type { MetricsContext } from './metrics-context.ts';
import { invalidQuery } from './read-query.ts';
import { runQuery } from './run-query.ts';

const tags = ['metrics'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
const csvType = 'text/csv';
const produces = ['application/json', csvType];

/** Routes of the queries of metrics (docs/metrics.md). */
export function metricRoutes(app: Server, context: MetricsContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, sent: unknown) => {
    const found = await runQuery(context, tenantOf(request), actingOf(request), sent);
    if (!accepts(request, csvType)) return found;
    return reply
      .type(`${csvType}; charset=utf-8`)
      .header('vary', 'accept')
      .send(csvLinesOf(found).join('') as never);
  };
  route(app, 'POST', '/v1/projects/:id/query', {
    access: reading,
    tags,
    summary: 'Query metrics',
    description: 'Figures of calls, spans or traces by dimensions and time. With `accept: text/csv` the rows as CSV.',
    params,
    body: metricQueryBody,
    produces,
    answer: metricAnswer,
    errors: [429, 503],
    handle: (request, reply) => answer(request, reply, request.body),
  });
  route(app, 'GET', '/v1/projects/:id/query', {
    access: reading,
    tags,
    summary: 'Query metrics by an address',
    params,
    query: metricQueryText,
    produces,
    answer: metricAnswer,
    errors: [429, 503],
    handle: (request, reply) => answer(request, reply, jsonOf(request.query.q)),
  });
  route(app, 'GET', '/v1/projects/:id/query-fields', {
    access: reading,
    tags,
    summary: 'Measures and dimensions of queries',
    params,
    answer: metricFields,
    handle: () => listMetricFields(),
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidQuery('', 'must be JSON in the parameter q');
  }
}
