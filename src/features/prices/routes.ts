import * as wire from '../../contract/prices.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { deletePrice } from './delete-price.ts';
import type { PricesContext } from './prices-context.ts';
import { getPrice, listPrices } from './read-prices.ts';
import { getRepricing } from './repricing/repricing-record.ts';
import { startRepricing } from './repricing/start-repricing.ts';
import { setPrice } from './set-price.ts';

const tags = ['prices'];
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'organization:manage', orRole: 'admin' };
const path = '/v1/projects/:id/prices';

/** A project's own prices, and repricing by them (docs/semantics.md, "Prices of a project"). For sessions only. */
export function pricesRoutes(app: Server, context: PricesContext): void {
  priceRoutes(app, context);
  repricingRoutes(app, context);
}

function priceRoutes(app: Server, context: PricesContext): void {
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: "List the project's own prices",
    params: wire.pricesParams,
    query: wire.listPricesQuery,
    answer: wire.pricePage,
    handle: (request) => listPrices(context.db, tenantOf(request).projectId, request.query),
  });
  route(app, 'GET', `${path}/:model`, {
    access: reading,
    tags,
    summary: "The project's own price of a model",
    params: wire.priceParams,
    answer: wire.ownPrice,
    handle: (request) => getPrice(context.db, tenantOf(request).projectId, request.params.model),
  });
  route(app, 'PUT', `${path}/:model`, {
    access: writing,
    tags,
    summary: "Set the project's own price of a model",
    params: wire.priceParams,
    body: wire.priceBody,
    answer: wire.ownPrice,
    errors: [409],
    handle: (request) => setPrice(context, actingOf(request), request.params.model, request.body),
  });
  route(app, 'DELETE', `${path}/:model`, {
    access: writing,
    tags,
    summary: "Delete the project's own price of a model",
    params: wire.priceParams,
    answer: wire.ownPrice.describe('the deleted price'),
    handle: (request) => deletePrice(context, actingOf(request), request.params.model),
  });
}

function repricingRoutes(app: Server, context: PricesContext): void {
  route(app, 'POST', `${path}/reprice`, {
    access: writing,
    tags,
    summary: 'Price stored calls anew',
    params: wire.pricesParams,
    body: wire.repriceBody,
    answer: [202, wire.startedRepricing],
    errors: [409],
    handle: async (request, reply) => {
      const started = await startRepricing(context, actingOf(request), tenantOf(request).plan, request.body);
      return reply.code(202).send(started);
    },
  });
  route(app, 'GET', `${path}/reprice/:repricingId`, {
    access: reading,
    tags,
    summary: 'A repricing with its figures so far',
    params: wire.repricingParams,
    answer: wire.repricing,
    handle: (request) => getRepricing(context.db, tenantOf(request).projectId, request.params.repricingId),
  });
}
