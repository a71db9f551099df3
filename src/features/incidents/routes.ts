import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/incidents.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeStatus } from './change-status.ts';
import { findIncident } from './incident-record.ts';
import type { IncidentsContext } from './incidents-context.ts';
import { getIncident, listIncidents } from './list-incidents.ts';

const tags = ['incidents'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
const managing: Access = { who: 'session', scope: 'project', permission: 'incidents:manage' };
const path = '/v1/projects/:id/incidents';
const onePath = `${path}/:incidentId`;

/** Incidents of a project (docs/semantics.md, "Incidents"). */
export function incidentRoutes(app: Server, context: IncidentsContext): void {
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List incidents, newest first',
    params: wire.incidentsParams,
    query: wire.listIncidentsQuery,
    answer: wire.incidentPage,
    handle: (request) => listIncidents(context.db, tenantOf(request).projectId, request.query),
  });
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One incident',
    params: wire.incidentParams,
    answer: wire.incident,
    handle: (request) => getIncident(context.db, tenantOf(request).projectId, request.params.incidentId),
  });
  route(app, 'PATCH', onePath, {
    access: managing,
    resource: async (request: FastifyRequest) => {
      const { incidentId } = request.params as { incidentId: string };
      await findIncident(context.db, tenantOf(request).projectId, incidentId);
    },
    tags,
    summary: 'Acknowledge or resolve an incident',
    params: wire.incidentParams,
    body: wire.incidentChange,
    answer: wire.incident,
    errors: [409],
    handle: (request) => changeStatus(context, actingOf(request), request.params.incidentId, request.body),
  });
}
