import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/prices.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { deletePrice } from './delete-price.ts';
import type { PricesContext } from './prices-context.ts';
import { getPrice, listPrices } from './read-prices.ts';
import { getRepricing } from './repricing/repricing-record.ts';
import { startRepricing } from './repricing/start-repricing.ts';
import { setPrice } from './set-price.ts';

const tags = ['prices'];
const refusals = { 400: errorBody, 403: errorBody, 404: errorBody };
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'organization:manage', orRole: 'admin' };
const path = '/v1/projects/:id/prices';

/** A project's own prices, and repricing by them (docs/semantics.md, "Prices of a project"). For sessions only. */
export function pricesRoutes(app: Server, context: PricesContext): void {
  priceRoutes(app, context);
  repricingRoutes(app, context);
}

function priceRoutes(app: Server, context: PricesContext): void {
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: "List the project's own prices",
        params: wire.pricesParams,
        querystring: wire.listPricesQuery,
        response: { 200: wire.pricePage, ...refusals },
      },
    },
    (request) => listPrices(context.db, tenantOf(request).projectId, request.query),
  );
  app.get(
    `${path}/:model`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: "The project's own price of a model",
        params: wire.priceParams,
        response: { 200: wire.ownPrice, ...refusals },
      },
    },
    (request) => getPrice(context.db, tenantOf(request).projectId, request.params.model),
  );
  app.put(
    `${path}/:model`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: "Set the project's own price of a model",
        params: wire.priceParams,
        body: wire.priceBody,
        response: { 200: wire.ownPrice, ...refusals, 409: errorBody },
      },
    },
    (request) => setPrice(context, actingOf(request), request.params.model, request.body),
  );
  app.delete(
    `${path}/:model`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: "Delete the project's own price of a model",
        params: wire.priceParams,
        response: { 200: wire.ownPrice.describe('the deleted price'), ...refusals },
      },
    },
    (request) => deletePrice(context, actingOf(request), request.params.model),
  );
}

function repricingRoutes(app: Server, context: PricesContext): void {
  app.post(
    `${path}/reprice`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Price stored calls anew',
        params: wire.pricesParams,
        body: wire.repriceBody,
        response: { 202: wire.startedRepricing, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      const started = await startRepricing(context, actingOf(request), tenantOf(request).plan, request.body);
      return reply.code(202).send(started);
    },
  );
  app.get(
    `${path}/reprice/:repricingId`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'A repricing with its figures so far',
        params: wire.repricingParams,
        response: { 200: wire.repricing, ...refusals },
      },
    },
    (request) => getRepricing(context.db, tenantOf(request).projectId, request.params.repricingId),
  );
}
