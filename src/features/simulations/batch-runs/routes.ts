import type { FastifyRequest } from 'fastify';
import * as wire from '../../../contract/simulations.ts';
import { actingOf, jsonType, route, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { findBatchRun, getBatchRun } from './batch-run-record.ts';
import { cancelBatchRun } from './cancel-batch-run.ts';
import { getDistributions } from './get-distributions.ts';
import { listBatchRuns } from './list-batch-runs.ts';
import { listItems } from './list-items.ts';
import { startBatchRun } from './start-batch-run.ts';

const tags = ['simulations'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['simulations:run', 'read'] };
const writing: Access = { who: 'key-or-session', permission: 'simulations:manage', keyScopes: ['simulations:run'] };
const path = '/v1/projects/:id/simulations/batch-runs';
const onePath = `${path}/:batchRunId`;

/** Batch runs of scenarios (docs/semantics.md, "Batch runs"). */
export function batchRunRoutes(app: Server, context: SimulationsContext): void {
  route(app, 'POST', path, {
    access: writing,
    tags,
    summary: 'Start a batch run of a scenario',
    description: '409 conflict: the project has 100 runs in the queue.',
    params: wire.simulationsParams,
    body: wire.batchRunBody,
    answer: [202, wire.oneBatchRun],
    errors: [409],
    handle: async (request, reply) => {
      reply.code(202);
      return { batchRun: await startBatchRun(context, actingOf(request), request.body) };
    },
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List batch runs, newest first',
    params: wire.simulationsParams,
    query: wire.batchRunsQuery,
    answer: wire.batchRunPage,
    handle: (request) => listBatchRuns(context, tenantOf(request).projectId, request.query),
  });
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: SimulationsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { batchRunId } = request.params as { batchRunId: string };
    await findBatchRun(context.db, tenantOf(request).projectId, batchRunId);
  };
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One batch run, with its figures so far',
    params: wire.batchRunParams,
    answer: wire.oneBatchRun,
    handle: async (request) => ({ batchRun: await getBatchRun(context, tenantOf(request).projectId, request.params.batchRunId) }),
  });
  route(app, 'GET', `${onePath}/items`, {
    access: reading,
    resource,
    tags,
    summary: 'Items of a batch run, in the order of the dataset; with those of a baseline',
    params: wire.batchRunParams,
    query: wire.batchItemsQuery,
    answer: wire.batchItemPage,
    handle: async (request, reply) => {
      const body = await listItems(context, tenantOf(request).projectId, request.params.batchRunId, request.query);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'GET', `${onePath}/distributions`, {
    access: reading,
    resource,
    tags,
    summary: 'Latency and cost over the items of a batch run, and how many items changed from a baseline',
    params: wire.batchRunParams,
    query: wire.distributionsQuery,
    answer: wire.distributions,
    handle: (request) =>
      getDistributions(context, tenantOf(request).projectId, request.params.batchRunId.toLowerCase(), request.query.baseline),
  });
  route(app, 'POST', `${onePath}/cancel`, {
    access: writing,
    resource,
    tags,
    summary: 'Cancel a batch run',
    description: 'What has not been sent is not sent any more. 409 conflict: the run has ended.',
    params: wire.batchRunParams,
    answer: [202, wire.oneBatchRun],
    errors: [409],
    handle: async (request, reply) => {
      reply.code(202);
      return { batchRun: await cancelBatchRun(context, tenantOf(request).projectId, request.params.batchRunId) };
    },
  });
}
