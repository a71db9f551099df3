import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, projectIdQuery, usedByScenarios } from '../../contract/common.ts';
import * as wire from '../../contract/datasets.ts';
import { jsonType, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { addItems } from './add-items.ts';
import { changeDataset, createDataset, getDataset, listDatasets } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { deleteDataset } from './delete-dataset.ts';
import { changeItem, deleteItem, getItem, listItems, requireItem } from './items.ts';
import { maxBodyBytes, maxFieldBytes, takeJsonBodies } from './json-body.ts';
import { inDataset, reading, writing } from './route-access.ts';
import { runRoutes } from './run-routes.ts';
import { transferRoutes } from './transfer-routes.ts';

const tags = ['datasets'];
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
/** Routes of datasets, their items and their runs (docs/semantics.md, "Datasets"). */
export async function datasetRoutes(app: Server, context: DatasetsContext): Promise<void> {
  await app.register((scope: Server, _options, done) => {
    takeJsonBodies(scope, context.itemTexts);
    collectionRoutes(scope, context);
    datasetRoute(scope, context);
    itemRoutes(scope, context);
    runRoutes(scope, context);
    transferRoutes(scope, context);
    done();
  });
}

function collectionRoutes(app: Server, context: DatasetsContext): void {
  app.post(
    '/v1/datasets',
    {
      bodyLimit: maxFieldBytes,
      config: writing,
      schema: {
        tags,
        summary: 'Make a dataset',
        querystring: projectIdQuery,
        body: wire.datasetBody,
        response: { 201: wire.dataset, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createDataset(context, tenantOf(request).projectId, request.body);
    },
  );
  app.get(
    '/v1/datasets',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List datasets, newest first',
        querystring: wire.datasetsQuery,
        response: { 200: wire.datasetPage, ...refusals },
      },
    },
    (request) => listDatasets(context, tenantOf(request).projectId, request.query),
  );
}

function datasetRoute(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  app.get(
    '/v1/datasets/:datasetId',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'One dataset',
        params: wire.datasetParams,
        querystring: projectIdQuery,
        response: { 200: wire.dataset, ...refusals },
      },
    },
    (request) => getDataset(context, tenantOf(request).projectId, request.params.datasetId),
  );
  app.patch(
    '/v1/datasets/:datasetId',
    {
      bodyLimit: maxFieldBytes,
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Change a dataset',
        params: wire.datasetParams,
        querystring: projectIdQuery,
        body: wire.datasetChange,
        response: { 200: wire.dataset, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    (request) => changeDataset(context, tenantOf(request).projectId, request.params.datasetId, request.body),
  );
  app.delete(
    '/v1/datasets/:datasetId',
    {
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Delete a dataset with its items and runs',
        params: wire.datasetParams,
        querystring: projectIdQuery,
        response: { 204: z.null(), ...refusals, 409: usedByScenarios },
      },
    },
    async (request, reply) => {
      await deleteDataset(context, tenantOf(request).projectId, request.params.datasetId);
      return reply.code(204).send(null);
    },
  );
}

function itemRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  app.post(
    '/v1/datasets/:datasetId/items',
    {
      bodyLimit: maxBodyBytes,
      config: { ...writing, resource },
      schema: {
        tags,
        summary: 'Add one item or up to 1000, all or nothing',
        params: wire.datasetParams,
        querystring: projectIdQuery,
        body: wire.itemsBody,
        response: { 201: wire.datasetItems, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    async (request, reply) => {
      const body = await addItems(
        context,
        tenantOf(request),
        request.params.datasetId.toLowerCase(),
        request.body,
        request.payloads ?? [],
      );
      return reply
        .code(201)
        .type(jsonType)
        .send(body as never);
    },
  );
  app.get(
    '/v1/datasets/:datasetId/items',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'Up to 1000 items, oldest first',
        params: wire.datasetParams,
        querystring: wire.itemsQuery,
        response: { 200: wire.datasetItems, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await listItems(context, request.params.datasetId, request.query);
      return reply.type(jsonType).send(body as never);
    },
  );
  oneItemRoutes(app, context);
}

function oneItemRoutes(app: Server, context: DatasetsContext): void {
  const itemConfig = {
    ...writing,
    resource: async (request: FastifyRequest) => {
      await inDataset(context)(request);
      const { datasetId, itemId } = request.params as { datasetId: string; itemId: string };
      await requireItem(context, datasetId, itemId);
    },
  };
  app.get(
    '/v1/datasets/:datasetId/items/:itemId',
    {
      config: { ...itemConfig, ...reading },
      schema: {
        tags,
        summary: 'One item',
        params: wire.itemParams,
        querystring: projectIdQuery,
        response: { 200: wire.datasetItem, ...refusals },
      },
    },
    async (request, reply) => {
      const body = await getItem(context, request.params.datasetId, request.params.itemId);
      return reply.type(jsonType).send(body as never);
    },
  );
  app.patch(
    '/v1/datasets/:datasetId/items/:itemId',
    {
      bodyLimit: maxBodyBytes,
      config: itemConfig,
      schema: {
        tags,
        summary: 'Change an item',
        params: wire.itemParams,
        querystring: projectIdQuery,
        body: wire.itemChange,
        response: { 200: wire.datasetItem, ...refusals, 413: errorBody },
      },
    },
    async (request, reply) => {
      const body = await changeItem(
        context,
        request.params.datasetId,
        request.params.itemId,
        request.body,
        request.payloads?.[0] ?? {},
      );
      return reply.type(jsonType).send(body as never);
    },
  );
  app.delete(
    '/v1/datasets/:datasetId/items/:itemId',
    {
      config: itemConfig,
      schema: {
        tags,
        summary: 'Delete an item and its results in runs',
        params: wire.itemParams,
        querystring: projectIdQuery,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteItem(context, request.params.datasetId, request.params.itemId);
      return reply.code(204).send(null);
    },
  );
}
