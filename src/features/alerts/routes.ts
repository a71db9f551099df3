import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as wire from '../../contract/alerts.ts';
import { errorBody } from '../../contract/common.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { AlertsContext } from './alerts-context.ts';
import { changeRule } from './change-rule.ts';
import { createRule } from './create-rule.ts';
import { deleteRule } from './delete-rule.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { getRule, listRules } from './list-rules.ts';
import { previewRule } from './preview-rule.ts';
import { findRule } from './rule-record.ts';

const tags = ['alerts'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'alerts:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/alerts';
const onePath = `${path}/:alertId`;

/** Alert rules of a project (docs/semantics.md, "Alert rules"). */
export function alertRoutes(app: Server, context: AlertsContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create an alert rule',
        params: wire.alertsParams,
        body: wire.alertBody,
        response: { 201: wire.alertRule, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createRule(context, actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List alert rules, oldest first',
        params: wire.alertsParams,
        querystring: wire.listAlertsQuery,
        response: { 200: wire.alertPage, ...refusals },
      },
    },
    (request) => listRules(context, tenantOf(request).projectId, request.query),
  );
  app.post(
    `${path}/preview`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'When a rule would have fired over the last 30 days',
        params: wire.alertsParams,
        body: wire.alertBody,
        response: { 200: wire.alertPreview, ...refusals },
      },
    },
    (request) => previewRule(context, tenantOf(request), request.body),
  );
  const resource = async (request: FastifyRequest) => {
    const { alertId } = request.params as { alertId: string };
    await findRule(context.db, tenantOf(request).projectId, alertId);
  };
  oneRoutes(app, context, resource);
  deliveryRoutes(app, context, { reading, writing, resource });
}

function oneRoutes(app: Server, context: AlertsContext, resource: (request: FastifyRequest) => Promise<void>): void {
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One alert rule',
        params: wire.alertParams,
        response: { 200: wire.alertRule, ...refusals },
      },
    },
    (request) => getRule(context, tenantOf(request).projectId, request.params.alertId),
  );
  app.patch(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Change an alert rule',
        params: wire.alertParams,
        body: wire.alertChange,
        response: { 200: wire.alertRule, ...refusals, 409: errorBody },
      },
    },
    (request) => changeRule(context, actingOf(request), request.params.alertId, request.body),
  );
  app.delete(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Delete an alert rule; its open incidents are resolved',
        params: wire.alertParams,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteRule(context, actingOf(request), request.params.alertId);
      return reply.code(204).send(null);
    },
  );
}
