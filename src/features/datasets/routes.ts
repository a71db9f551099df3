import type { FastifyRequest } from 'fastify';
import { projectIdQuery, usedByScenarios } from '../../contract/common.ts';
import * as wire from '../../contract/datasets.ts';
import { actingOf, actorOf, jsonType, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { addItems } from './add-items.ts';
import { changeDataset, createDataset, getDataset, listDatasets } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { deleteDataset } from './delete-dataset.ts';
import { changeItem, deleteItem, getItem, listItems, requireItem } from './items.ts';
import { takeJsonBodies } from './json-body.ts';
import { inDataset, reading, writing } from './route-access.ts';
import { runRoutes } from './run-routes.ts';
import { transferRoutes } from './transfer-routes.ts';

const tags = ['datasets'];
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
  route(app, 'POST', '/v1/datasets', {
    ...writing,
    limits: 'fields',
    tags,
    summary: 'Make a dataset',
    query: projectIdQuery,
    body: wire.datasetBody,
    answer: [201, wire.dataset],
    errors: [404, 409, 413],
    handle: (request) => createDataset(context, tenantOf(request).projectId, request.body),
  });
  route(app, 'GET', '/v1/datasets', {
    ...reading,
    tags,
    summary: 'List datasets, newest first',
    query: wire.datasetsQuery,
    answer: wire.datasetPage,
    errors: [404],
    handle: (request) => listDatasets(context, tenantOf(request).projectId, request.query),
  });
}

function datasetRoute(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  route(app, 'GET', '/v1/datasets/:datasetId', {
    ...reading,
    resource,
    tags,
    summary: 'One dataset',
    params: wire.datasetParams,
    query: projectIdQuery,
    answer: wire.dataset,
    handle: (request) => getDataset(context, tenantOf(request).projectId, request.params.datasetId),
  });
  route(app, 'PATCH', '/v1/datasets/:datasetId', {
    ...writing,
    resource,
    limits: 'fields',
    tags,
    summary: 'Change a dataset',
    params: wire.datasetParams,
    query: projectIdQuery,
    body: wire.datasetChange,
    answer: wire.dataset,
    errors: [409, 413],
    handle: (request) => changeDataset(context, tenantOf(request).projectId, request.params.datasetId, request.body),
  });
  route(app, 'DELETE', '/v1/datasets/:datasetId', {
    ...writing,
    resource,
    tags,
    summary: 'Delete a dataset with its items and runs',
    params: wire.datasetParams,
    query: projectIdQuery,
    answer: 204,
    also: { 409: usedByScenarios },
    handle: (request) => deleteDataset(context, actingOf(request), request.params.datasetId),
  });
}

function itemRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  route(app, 'POST', '/v1/datasets/:datasetId/items', {
    ...writing,
    resource,
    limits: 'items',
    tags,
    summary: 'Add one item or up to 1000, all or nothing',
    params: wire.datasetParams,
    query: projectIdQuery,
    body: wire.itemsBody,
    answer: [201, wire.datasetItems],
    errors: [409, 413],
    handle: async (request, reply) => {
      const body = await addItems(
        context,
        { tenant: tenantOf(request), actor: actorOf(request) },
        request.params.datasetId.toLowerCase(),
        request.body,
        request.payloads ?? [],
      );
      return reply
        .code(201)
        .type(jsonType)
        .send(body as never);
    },
  });
  route(app, 'GET', '/v1/datasets/:datasetId/items', {
    ...reading,
    resource,
    tags,
    summary: 'Up to 1000 items, oldest first',
    params: wire.datasetParams,
    query: wire.itemsQuery,
    answer: wire.datasetItems,
    handle: async (request, reply) => {
      const body = await listItems(context, request.params.datasetId, request.query);
      return reply.type(jsonType).send(body as never);
    },
  });
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
  route(app, 'GET', '/v1/datasets/:datasetId/items/:itemId', {
    ...itemConfig,
    ...reading,
    tags,
    summary: 'One item',
    params: wire.itemParams,
    query: projectIdQuery,
    answer: wire.datasetItem,
    handle: async (request, reply) => {
      const body = await getItem(context, request.params.datasetId, request.params.itemId);
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'PATCH', '/v1/datasets/:datasetId/items/:itemId', {
    ...itemConfig,
    limits: 'items',
    tags,
    summary: 'Change an item',
    params: wire.itemParams,
    query: projectIdQuery,
    body: wire.itemChange,
    answer: wire.datasetItem,
    errors: [409, 413],
    handle: async (request, reply) => {
      const body = await changeItem(
        context,
        actingOf(request),
        request.params.datasetId,
        request.params.itemId,
        request.body,
        request.payloads?.[0] ?? {},
      );
      return reply.type(jsonType).send(body as never);
    },
  });
  route(app, 'DELETE', '/v1/datasets/:datasetId/items/:itemId', {
    ...itemConfig,
    tags,
    summary: 'Delete an item and its results in runs',
    params: wire.itemParams,
    query: projectIdQuery,
    answer: 204,
    handle: (request) => deleteItem(context, actingOf(request), request.params.datasetId, request.params.itemId),
  });
}
