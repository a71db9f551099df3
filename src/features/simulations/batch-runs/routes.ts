import type { FastifyRequest } from 'fastify';
import { errorBody } from '../../../contract/common.ts';
import * as wire from '../../../contract/simulations.ts';
import { actingOf, jsonType, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { findBatchRun, getBatchRun } from './batch-run-record.ts';
import { cancelBatchRun } from './cancel-batch-run.ts';
import { getDistributions } from './get-distributions.ts';
import { listBatchRuns } from './list-batch-runs.ts';
import { listItems } from './list-items.ts';
import { startBatchRun } from './start-batch-run.ts';

const tags = ['simulations'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'key-or-session', permission: 'simulations:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/simulations/batch-runs';
const onePath = `${path}/:batchRunId`;

/** Batch runs of scenarios (docs/semantics.md, "Batch runs"). */
export function batchRunRoutes(app: Server, context: SimulationsContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Start a batch run of a scenario',
        description: '409 conflict: the project has 100 runs in the queue.',
        params: wire.simulationsParams,
        body: wire.batchRunBody,
        response: { 202: wire.oneBatchRun, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return { batchRun: await startBatchRun(context, actingOf(request), request.body) };
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List batch runs, newest first',
        params: wire.simulationsParams,
        querystring: wire.batchRunsQuery,
        response: { 200: wire.batchRunPage, ...refusals },
      },
    },
    (request) => listBatchRuns(context, tenantOf(request).projectId, request.query),
  );
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: SimulationsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { batchRunId } = request.params as { batchRunId: string };
    await findBatchRun(context.db, tenantOf(request).projectId, batchRunId);
  };
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One batch run, with its figures so far',
        params: wire.batchRunParams,
        response: { 200: wire.oneBatchRun, ...refusals },
      },
    },
    async (request) => ({ batchRun: await getBatchRun(context, tenantOf(request).projectId, request.params.batchRunId) }),
  );
  app.get(
    `${onePath}/items`,
    {
      config: { access: reading, resource },
      schema: {
        tags,
        summary: 'Items of a batch run, in the order of the dataset; with those of a baseline',
        params: wire.batchRunParams,
        querystring: wire.batchItemsQuery,
        response: { 200: wire.batchItemPage, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await listItems(context, tenantOf(request).projectId, request.params.batchRunId, request.query);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.get(
    `${onePath}/distributions`,
    {
      config: { access: reading, resource },
      schema: {
        tags,
        summary: 'Latency and cost over the items of a batch run, and how many items changed from a baseline',
        params: wire.batchRunParams,
        querystring: wire.distributionsQuery,
        response: { 200: wire.distributions, ...refusals },
      },
    },
    (request) =>
      getDistributions(context, tenantOf(request).projectId, request.params.batchRunId.toLowerCase(), request.query.baseline),
  );
  app.post(
    `${onePath}/cancel`,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Cancel a batch run',
        description: 'What has not been sent is not sent any more. 409 conflict: the run has ended.',
        params: wire.batchRunParams,
        response: { 202: wire.oneBatchRun, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return { batchRun: await cancelBatchRun(context, tenantOf(request).projectId, request.params.batchRunId) };
    },
  );
}
