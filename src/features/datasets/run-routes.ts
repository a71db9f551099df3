import type { FastifyRequest } from 'fastify';
import { projectIdQuery } from '../../contract/common.ts';
import * as wire from '../../contract/datasets.ts';
import { actingOf, jsonType, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { compareRuns } from './compare-runs.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { deleteRun } from './delete-dataset.ts';
import { getRunDetail } from './get-run.ts';
import { inDataset, reading, writing } from './route-access.ts';
import { addRunItems } from './run-items.ts';
import { createRun, getRun, listRuns } from './runs.ts';

const tags = ['datasets'];

/** Routes of dataset runs: the results of an application or the service for the items (docs/semantics.md, "Dataset runs"). */
export function runRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  route(app, 'POST', '/v1/datasets/:datasetId/runs', {
    ...writing,
    resource,
    limits: 'fields',
    tags,
    summary: 'Begin a run',
    params: wire.datasetParams,
    query: projectIdQuery,
    body: wire.runBody,
    answer: [201, wire.run],
    errors: [413],
    handle: (request) => createRun(context, tenantOf(request), request.params.datasetId.toLowerCase(), request.body),
  });
  route(app, 'GET', '/v1/datasets/:datasetId/runs', {
    ...reading,
    resource,
    tags,
    summary: 'List runs with their aggregates, newest first',
    params: wire.datasetParams,
    query: wire.runsQuery,
    answer: wire.runPage,
    handle: (request) => listRuns(context, tenantOf(request), request.params.datasetId, request.query),
  });
  route(app, 'GET', '/v1/datasets/:datasetId/runs/compare', {
    ...reading,
    resource,
    tags,
    summary: 'Compare two runs, item by item and by evaluator',
    params: wire.datasetParams,
    query: wire.compareQuery,
    answer: wire.comparison,
    handle: async (request, reply) => {
      const body = await compareRuns(context, tenantOf(request), request.params.datasetId, request.query.runs);
      return reply.type(jsonType).send(body as never);
    },
  });
  oneRunRoutes(app, context);
}

function oneRunRoutes(app: Server, context: DatasetsContext): void {
  const resource = async (request: FastifyRequest) => {
    await inDataset(context)(request);
    const { datasetId, runId } = request.params as { datasetId: string; runId: string };
    await getRun(context, datasetId, runId);
  };
  route(app, 'GET', '/v1/datasets/:datasetId/runs/:runId', {
    ...reading,
    resource,
    tags,
    summary: 'One run with its aggregates and items',
    params: wire.runParams,
    query: wire.runQuery,
    answer: wire.runDetail,
    handle: async (request, reply) => {
      const body = await getRunDetail(context, tenantOf(request), request.params, request.query);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'DELETE', '/v1/datasets/:datasetId/runs/:runId', {
    ...writing,
    resource,
    tags,
    summary: 'Delete a run',
    params: wire.runParams,
    query: projectIdQuery,
    answer: 204,
    handle: (request) => deleteRun(context, actingOf(request), request.params.datasetId, request.params.runId),
  });
  route(app, 'POST', '/v1/datasets/:datasetId/runs/:runId/items', {
    ...writing,
    resource,
    limits: 'items',
    tags,
    summary: 'Add results of the run for up to 1000 items, all or nothing',
    params: wire.runParams,
    query: projectIdQuery,
    body: wire.runItemsBody,
    answer: [201, wire.runItemsAdded],
    errors: [413],
    handle: async (request, reply) => {
      const { datasetId, runId } = request.params;
      const names = { datasetId, runId: runId.toLowerCase() };
      const body = await addRunItems(context, tenantOf(request), names, request.body, request.payloads ?? []);
      return reply
        .code(201)
        .type(jsonType)
        .send(body as never);
    },
  });
}
