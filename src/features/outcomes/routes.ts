import * as wire from '../../contract/outcomes.ts';
import { keyOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { takeToken } from '../../platform/rate-limit/index.ts';
import type { BucketSize, RateLimit } from '../../platform/rate-limit/index.ts';
import { getSummary } from './get-summary.ts';
import { listKinds } from './list-kinds.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { reportOutcomes } from './report-outcomes.ts';

const tags = ['outcomes'];
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };

/** Requests per API key (docs/semantics.md, "Reported outcomes"). */
export const outcomeRate: BucketSize = { capacity: 300, refillPerSecond: 5 };

const refusal = `This API key reports outcomes more than ${outcomeRate.capacity} times a minute; send several in one request.`;

/** Reporting and reading outcomes (docs/semantics.md, "Outcomes"). */
export function outcomeRoutes(app: Server, context: OutcomesContext, buckets: RateLimit): void {
  reportRoute(app, context, buckets);
  route(app, 'GET', '/v1/projects/:id/outcomes/kinds', {
    access: reading,
    tags,
    summary: 'The kinds of outcomes in a range',
    params: wire.outcomeParams,
    query: wire.outcomeKindsQuery,
    answer: wire.outcomeKinds,
    handle: (request) => listKinds(context, tenantOf(request), request.query),
  });
  route(app, 'GET', '/v1/projects/:id/outcomes/summary', {
    access: reading,
    tags,
    summary: 'The outcomes of a range: in total, by day, by agent and by model',
    params: wire.outcomeParams,
    query: wire.outcomeSummaryQuery,
    answer: wire.outcomeSummary,
    handle: (request) => getSummary(context, tenantOf(request), request.query),
  });
}

function reportRoute(app: Server, context: OutcomesContext, buckets: RateLimit): void {
  route(app, 'POST', '/v1/ingest/outcomes', {
    access: { who: 'key', keyScopes: ['ingest'] },
    limits: 'records',
    uncounted: true,
    tags: ['ingestion'],
    summary: 'Report outcomes of traces: one, or up to 100 as {outcomes: [...]}',
    description: 'Each outcome is accepted or rejected by itself. Counts nothing against the event quota.',
    body: wire.outcomesBody,
    // Before the body is read, for every authenticated request.
    // The prefix keeps the bucket apart from that of ingestion.
    onRequest: (request, _reply, next) => takeToken(buckets, `outcomes ${keyOf(request).keyId}`, refusal, next),
    answer: [202, wire.outcomesAnswer],
    also: { 400: wire.outcomesRefusal },
    errors: [413, 429, 503],
    handle: async (request, reply) => reply.code(202).send(await reportOutcomes(context, tenantOf(request), request.body)),
  });
}
