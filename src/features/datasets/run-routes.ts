import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, projectIdQuery } from '../../contract/common.ts';
import * as wire from '../../contract/datasets.ts';
import { jsonType, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { compareRuns } from './compare-runs.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { deleteRun } from './delete-dataset.ts';
import { getRunDetail } from './get-run.ts';
import { maxBodyBytes, maxFieldBytes } from './json-body.ts';
import { inDataset, reading, writing } from './route-access.ts';
import { addRunItems } from './run-items.ts';
import { createRun, getRun, listRuns } from './runs.ts';

const tags = ['datasets'];
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };

/** Routes of dataset runs: the results of an application or the service for the items (docs/semantics.md, "Dataset runs"). */
export function runRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  app.post(
    '/v1/datasets/:datasetId/runs',
    {
      bodyLimit: maxFieldBytes,
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Begin a run',
        params: wire.datasetParams,
        querystring: projectIdQuery,
        body: wire.runBody,
        response: { 201: wire.run, ...refusals, 413: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createRun(context, tenantOf(request), request.params.datasetId.toLowerCase(), request.body);
    },
  );
  app.get(
    '/v1/datasets/:datasetId/runs',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'List runs with their aggregates, newest first',
        params: wire.datasetParams,
        querystring: wire.runsQuery,
        response: { 200: wire.runPage, ...refusals },
      },
    },
    (request) => listRuns(context, tenantOf(request), request.params.datasetId, request.query),
  );
  app.get(
    '/v1/datasets/:datasetId/runs/compare',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'Compare two runs, item by item and by evaluator',
        params: wire.datasetParams,
        querystring: wire.compareQuery,
        response: { 200: wire.comparison, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await compareRuns(context, tenantOf(request), request.params.datasetId, request.query.runs);
      return reply.type(jsonType).send(body as never);
    },
  );
  oneRunRoutes(app, context);
}

function oneRunRoutes(app: Server, context: DatasetsContext): void {
  const resource = async (request: FastifyRequest) => {
    await inDataset(context)(request);
    const { datasetId, runId } = request.params as { datasetId: string; runId: string };
    await getRun(context, datasetId, runId);
  };
  app.get(
    '/v1/datasets/:datasetId/runs/:runId',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'One run with its aggregates and items',
        params: wire.runParams,
        querystring: wire.runQuery,
        response: { 200: wire.runDetail, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await getRunDetail(context, tenantOf(request), request.params, request.query);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.delete(
    '/v1/datasets/:datasetId/runs/:runId',
    {
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Delete a run',
        params: wire.runParams,
        querystring: projectIdQuery,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteRun(context, request.params.datasetId, request.params.runId);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/v1/datasets/:datasetId/runs/:runId/items',
    {
      bodyLimit: maxBodyBytes,
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Add results of the run for up to 1000 items, all or nothing',
        params: wire.runParams,
        querystring: projectIdQuery,
        body: wire.runItemsBody,
        response: { 201: wire.runItemsAdded, ...refusals, 413: errorBody },
      },
    },
    async (request, reply) => {
      const { datasetId, runId } = request.params;
      const names = { datasetId, runId: runId.toLowerCase() };
      const body = await addRunItems(context, tenantOf(request), names, request.body, request.payloads ?? []);
      return reply
        .code(201)
        .type(jsonType)
        .send(body as never);
    },
  );
}
