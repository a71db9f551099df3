import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/changes.ts';
import { errorBody } from '../../contract/common.ts';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { ChangesContext } from './changes-context.ts';
import { getChange, listChanges } from './list-changes.ts';
import { recordChange } from './record-change.ts';

const tags = ['changes'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
/** Held by members. */
const writing: Access = { who: 'key-or-session', permission: 'alerts:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/changes';

/** Changes of what a project runs, and their impact (docs/semantics.md, "Changes"). */
export function changeRoutes(app: Server, context: ChangesContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Report a change, such as a deployment',
        params: wire.changesParams,
        body: wire.changeBody,
        response: { 200: wire.change.describe('the record of this idempotency key'), 201: wire.change, ...refusals },
      },
    },
    async (request, reply) => {
      const { change, made } = await recordChange(context, tenantOf(request).projectId, request.body);
      return reply.code(made ? 201 : 200).send(change);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Reported and automatic changes, newest first',
        params: wire.changesParams,
        querystring: wire.listChangesQuery,
        response: { 200: wire.changePage, ...refusals },
      },
    },
    (request) => listChanges(context, tenantOf(request).projectId, request.query),
  );
  oneChangeRoutes(app, context);
}

function oneChangeRoutes(app: Server, context: ChangesContext): void {
  const find = (request: FastifyRequest) => {
    const { changeId } = request.params as { changeId: string };
    return getChange(context, tenantOf(request).projectId, changeId);
  };
  const config = { access: reading, resource: async (request: FastifyRequest) => void (await find(request)) };
  app.get(
    `${path}/:changeId`,
    {
      config,
      schema: { tags, summary: 'A change', params: wire.changeParams, response: { 200: wire.change, ...refusals } },
    },
    (request) => find(request),
  );
  app.get(
    `${path}/:changeId/impact`,
    {
      config,
      schema: {
        tags,
        summary: 'Figures before and after a change, and what differs',
        params: wire.changeParams,
        querystring: wire.impactQuery,
        response: { 200: wire.impact, ...refusals },
      },
    },
    async (request) => {
      // Loads a library for statistics, which nothing else needs.
      const { getImpact } = await import('./impact/get-impact.ts');
      return getImpact(context, tenantOf(request), await find(request), request.query);
    },
  );
}
