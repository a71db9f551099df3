import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/changes.ts';
import { route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { ChangesContext } from './changes-context.ts';
import { getChange, listChanges } from './list-changes.ts';
import { recordChange } from './record-change.ts';

const tags = ['changes'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
/** Held by members. */
const writing: Access = { who: 'key-or-session', permission: 'alerts:manage', keyScopes: ['ingest'] };
const path = '/v1/projects/:id/changes';

/** Changes of what a project runs, and their impact (docs/semantics.md, "Changes"). */
export function changeRoutes(app: Server, context: ChangesContext): void {
  route(app, 'POST', path, {
    access: writing,
    tags,
    summary: 'Report a change, such as a deployment',
    params: wire.changesParams,
    body: wire.changeBody,
    answer: wire.change.describe('the record of this idempotency key'),
    also: { 201: wire.change },
    handle: async (request, reply) => {
      const { change, made } = await recordChange(context, tenantOf(request).projectId, request.body);
      return reply.code(made ? 201 : 200).send(change);
    },
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'Reported and automatic changes, newest first',
    params: wire.changesParams,
    query: wire.listChangesQuery,
    answer: wire.changePage,
    handle: (request) => listChanges(context, tenantOf(request).projectId, request.query),
  });
  oneChangeRoutes(app, context);
}

function oneChangeRoutes(app: Server, context: ChangesContext): void {
  const find = (request: FastifyRequest) => {
    const { changeId } = request.params as { changeId: string };
    return getChange(context, tenantOf(request).projectId, changeId);
  };
  const config = { access: reading, resource: async (request: FastifyRequest) => void (await find(request)) };
  route(app, 'GET', `${path}/:changeId`, {
    ...config,
    tags,
    summary: 'A change',
    params: wire.changeParams,
    answer: wire.change,
    handle: (request) => find(request),
  });
  route(app, 'GET', `${path}/:changeId/impact`, {
    ...config,
    tags,
    summary: 'Figures before and after a change, and what differs',
    params: wire.changeParams,
    query: wire.impactQuery,
    answer: wire.impact,
    handle: async (request) => {
      // Loads a library for statistics, which nothing else needs.
      const { getImpact } = await import('./impact/get-impact.ts');
      return getImpact(context, tenantOf(request), await find(request), request.query);
    },
  });
}
