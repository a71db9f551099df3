import type { FastifyRequest } from 'fastify';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/incidents.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeStatus } from './change-status.ts';
import { findIncident } from './incident-record.ts';
import type { IncidentsContext } from './incidents-context.ts';
import { getIncident, listIncidents } from './list-incidents.ts';

const tags = ['incidents'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const managing: Access = { who: 'session', scope: 'project', permission: 'incidents:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/incidents';
const onePath = `${path}/:incidentId`;

/** Incidents of a project (docs/semantics.md, "Incidents"). */
export function incidentRoutes(app: Server, context: IncidentsContext): void {
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List incidents, newest first',
        params: wire.incidentsParams,
        querystring: wire.listIncidentsQuery,
        response: { 200: wire.incidentPage, ...refusals },
      },
    },
    (request) => listIncidents(context.db, tenantOf(request).projectId, request.query),
  );
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One incident',
        params: wire.incidentParams,
        response: { 200: wire.incident, ...refusals },
      },
    },
    (request) => getIncident(context.db, tenantOf(request).projectId, request.params.incidentId),
  );
  app.patch(
    onePath,
    {
      config: {
        access: managing,
        resource: async (request: FastifyRequest) => {
          const { incidentId } = request.params as { incidentId: string };
          await findIncident(context.db, tenantOf(request).projectId, incidentId);
        },
      },
      schema: {
        tags,
        summary: 'Acknowledge or resolve an incident',
        params: wire.incidentParams,
        body: wire.incidentChange,
        response: { 200: wire.incident, ...refusals, 409: errorBody },
      },
    },
    (request) => changeStatus(context, actingOf(request), request.params.incidentId, request.body),
  );
}
