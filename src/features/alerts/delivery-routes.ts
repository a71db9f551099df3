import type { FastifyRequest } from 'fastify';
import { alertDeliveryParams, alertParams } from '../../contract/alerts.ts';
import { errorBody } from '../../contract/common.ts';
import { deliveryPage, listDeliveriesQuery, queuedDeliveries } from '../../contract/notifications.ts';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { AlertsContext } from './alerts-context.ts';
import { testRule } from './test-rule.ts';

const tags = ['alerts'];
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const onePath = '/v1/projects/:id/alerts/:alertId';

interface DeliveryAccess {
  reading: Access;
  writing: Access;
  /** Checks that the rule exists. */
  resource(request: FastifyRequest): Promise<void>;
}

/** Messages to the channels of a rule (docs/semantics.md, "Alert rules"). */
export function deliveryRoutes(app: Server, context: AlertsContext, { reading, writing, resource }: DeliveryAccess): void {
  const { channels } = context;
  app.get(
    `${onePath}/deliveries`,
    {
      config: { access: reading, resource },
      schema: {
        tags,
        summary: "Messages to a rule's channels, newest first",
        params: alertParams,
        querystring: listDeliveriesQuery,
        response: { 200: deliveryPage, ...refusals },
      },
    },
    (request) => channels.listDeliveries(tenantOf(request).projectId, request.params.alertId.toLowerCase(), request.query),
  );
  app.post(
    `${onePath}/test`,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Send a test message to every channel of a rule',
        params: alertParams,
        response: { 202: queuedDeliveries, ...refusals },
      },
    },
    async (request, reply) => {
      const deliveries = await testRule(context, tenantOf(request).projectId, request.params.alertId);
      return reply.code(202).send({ deliveries });
    },
  );
  app.post(
    `${onePath}/deliveries/:deliveryId/redeliver`,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Send a message again',
        params: alertDeliveryParams,
        response: { 202: queuedDeliveries, ...refusals },
      },
    },
    async (request, reply) => {
      const { alertId, deliveryId } = request.params;
      await channels.redeliver(tenantOf(request).projectId, alertId.toLowerCase(), deliveryId);
      return reply.code(202).send({ deliveries: [deliveryId.toLowerCase()] });
    },
  );
}
