import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/alerts.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { AlertsContext } from './alerts-context.ts';
import { changeRule } from './change-rule.ts';
import { createRule } from './create-rule.ts';
import { deleteRule } from './delete-rule.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import type { DeliveryBuckets } from './delivery-routes.ts';
import { getRule, listRules } from './list-rules.ts';
import { previewRule } from './preview-rule.ts';
import { findRule } from './rule-record.ts';
import { authorOf, shownRule } from './shown-rule.ts';

const tags = ['alerts'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
const writing: Access = { who: 'session', scope: 'project', permission: 'alerts:manage' };
const path = '/v1/projects/:id/alerts';
const onePath = `${path}/:alertId`;

/** Alert rules of a project (docs/semantics.md, "Alert rules"). */
export function alertRoutes(app: Server, context: AlertsContext, buckets: DeliveryBuckets): void {
  route(app, 'POST', path, {
    access: writing,
    limits: 'fields',
    tags,
    summary: 'Create an alert rule',
    params: wire.alertsParams,
    body: wire.alertBody,
    answer: [201, wire.alertRule],
    errors: [409],
    handle: (request) => createRule(context, authorOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List alert rules, oldest first',
    params: wire.alertsParams,
    query: wire.listAlertsQuery,
    answer: wire.alertPage,
    handle: async (request) => {
      const page = await listRules(context, tenantOf(request).projectId, request.query);
      return { ...page, alerts: page.alerts.map((rule) => shownRule(request, rule)) };
    },
  });
  route(app, 'POST', `${path}/preview`, {
    access: writing,
    limits: 'fields',
    tags,
    summary: 'When a rule would have fired over the last 30 days',
    params: wire.alertsParams,
    body: wire.alertBody,
    answer: wire.alertPreview,
    handle: (request) => previewRule(context, tenantOf(request), request.body),
  });
  const resource = async (request: FastifyRequest) => {
    const { alertId } = request.params as { alertId: string };
    await findRule(context.db, tenantOf(request).projectId, alertId);
  };
  oneRoutes(app, context, resource);
  deliveryRoutes(app, context, { reading, writing, resource, buckets });
}

function oneRoutes(app: Server, context: AlertsContext, resource: (request: FastifyRequest) => Promise<void>): void {
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One alert rule',
    params: wire.alertParams,
    answer: wire.alertRule,
    handle: async (request) => shownRule(request, await getRule(context, tenantOf(request).projectId, request.params.alertId)),
  });
  route(app, 'PATCH', onePath, {
    access: writing,
    resource,
    limits: 'fields',
    tags,
    summary: 'Change an alert rule',
    params: wire.alertParams,
    body: wire.alertChange,
    answer: wire.alertRule,
    errors: [409],
    handle: (request) => changeRule(context, authorOf(request), request.params.alertId, request.body),
  });
  route(app, 'DELETE', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Delete an alert rule; its open incidents are resolved',
    params: wire.alertParams,
    answer: 204,
    handle: (request) => deleteRule(context, actingOf(request), request.params.alertId),
  });
}
