import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/model-connections.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeConnection } from './change-connection.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnection } from './get-connection.ts';
import { listConnections } from './list-connections.ts';

const tags = ['evaluation'];
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'connections:manage' };

/** Model connections of a project (docs/semantics.md, "Judges"). For sessions only. */
export function connectionRoutes(app: Server, context: ConnectionsContext): void {
  const path = '/v1/projects/:id/model-connections';
  const one = `${path}/:connectionId`;
  const existing = (access: Access) => ({
    access,
    resource: async (request: FastifyRequest) => {
      const { connectionId } = request.params as { connectionId: string };
      await getConnection(context, tenantOf(request).projectId, connectionId);
    },
  });
  route(app, 'POST', path, {
    access: writing,
    tags,
    summary: 'Create a model connection',
    params: wire.modelConnectionsParams,
    body: wire.modelConnectionBody,
    answer: [201, wire.modelConnection],
    errors: [409],
    handle: (request) => createConnection(context, actingOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List model connections',
    params: wire.modelConnectionsParams,
    query: wire.listModelConnectionsQuery,
    answer: wire.modelConnectionPage,
    handle: (request) => listConnections(context, tenantOf(request).projectId, request.query),
  });
  route(app, 'GET', one, {
    access: reading,
    tags,
    summary: 'One model connection',
    params: wire.modelConnectionParams,
    answer: wire.modelConnection,
    handle: (request) => getConnection(context, tenantOf(request).projectId, request.params.connectionId),
  });
  route(app, 'PATCH', one, {
    ...existing(writing),
    tags,
    summary: 'Change a model connection',
    params: wire.modelConnectionParams,
    body: wire.modelConnectionChange,
    answer: wire.modelConnection,
    also: { 409: wire.connectionConflict },
    handle: (request) => changeConnection(context, actingOf(request), request.params.connectionId.toLowerCase(), request.body),
  });
  route(app, 'DELETE', one, {
    ...existing(writing),
    tags,
    summary: 'Delete a model connection',
    params: wire.modelConnectionParams,
    answer: 204,
    also: { 409: wire.connectionConflict },
    handle: (request) => deleteConnection(context, actingOf(request), request.params.connectionId.toLowerCase()),
  });
}
