import type { FastifyRequest } from 'fastify';
import { alertDeliveryParams, alertParams } from '../../contract/alerts.ts';
import { deliveryPage, listDeliveriesQuery, queuedDeliveries } from '../../contract/notifications.ts';
import { route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { takeToken } from '../../platform/rate-limit/index.ts';
import type { BucketSize, RateLimit } from '../../platform/rate-limit/index.ts';
import type { AlertsContext } from './alerts-context.ts';
import { shownDelivery } from './shown-rule.ts';
import { testRule } from './test-rule.ts';

const tags = ['alerts'];
const onePath = '/v1/projects/:id/alerts/:alertId';

/** Tests of a project's rules: they send mail with a text of the caller's. */
export const testRate: BucketSize = { capacity: 10, refillPerSecond: 10 / 3_600 };

/** Redeliveries of a project's messages: a test can be one. */
export const redeliveryRate: BucketSize = { capacity: 100, refillPerSecond: 100 / 3_600 };

const tooManyRedeliveries = `This project has sent ${redeliveryRate.capacity} messages again within an hour; wait, and correct the channel first.`;

const tooManyTests = `This project has sent ${testRate.capacity} tests of alert rules within an hour; wait, or look at the deliveries of the last ones.`;

/** How often a project may send what no incident caused. */
export interface DeliveryBuckets {
  tests: RateLimit;
  redeliveries: RateLimit;
}

interface DeliveryAccess {
  reading: Access;
  writing: Access;
  /** Buckets of each project. */
  buckets: DeliveryBuckets;
  /** Checks that the rule exists. */
  resource(request: FastifyRequest): Promise<void>;
}

/** Messages to the channels of a rule (docs/semantics.md, "Alert rules"). */
export function deliveryRoutes(app: Server, context: AlertsContext, access: DeliveryAccess): void {
  const { reading, writing, resource, buckets } = access;
  const { channels } = context;
  route(app, 'GET', `${onePath}/deliveries`, {
    access: reading,
    resource,
    tags,
    summary: "Messages to a rule's channels, newest first",
    params: alertParams,
    query: listDeliveriesQuery,
    answer: deliveryPage,
    handle: async (request) => {
      const { projectId } = tenantOf(request);
      const page = await channels.listDeliveries(projectId, request.params.alertId.toLowerCase(), request.query);
      return { ...page, deliveries: page.deliveries.map((delivery) => shownDelivery(request, delivery)) };
    },
  });
  route(app, 'POST', `${onePath}/test`, {
    access: writing,
    resource,
    tags,
    summary: 'Send a test message to every channel of a rule',
    params: alertParams,
    onRequest: (request, _reply, next) => takeToken(buckets.tests, `tests ${tenantOf(request).projectId}`, tooManyTests, next),
    answer: [202, queuedDeliveries],
    errors: [429],
    handle: async (request, reply) => {
      const deliveries = await testRule(context, tenantOf(request).projectId, request.params.alertId);
      return reply.code(202).send({ deliveries });
    },
  });
  route(app, 'POST', `${onePath}/deliveries/:deliveryId/redeliver`, {
    access: writing,
    resource,
    tags,
    summary: 'Send a message again',
    params: alertDeliveryParams,
    onRequest: (request, _reply, next) =>
      takeToken(buckets.redeliveries, `redeliveries ${tenantOf(request).projectId}`, tooManyRedeliveries, next),
    answer: [202, queuedDeliveries],
    errors: [429],
    handle: async (request, reply) => {
      const { alertId, deliveryId } = request.params;
      await channels.redeliver(tenantOf(request).projectId, alertId.toLowerCase(), deliveryId);
      return reply.code(202).send({ deliveries: [deliveryId.toLowerCase()] });
    },
  });
}
