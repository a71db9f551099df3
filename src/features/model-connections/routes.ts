import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/model-connections.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeConnection } from './change-connection.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnection } from './get-connection.ts';
import { listConnections } from './list-connections.ts';

const tags = ['evaluation'];
const refusals = { 400: errorBody, 403: errorBody, 404: errorBody };
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'evaluations:manage' };

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
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create a model connection',
        params: wire.modelConnectionsParams,
        body: wire.modelConnectionBody,
        response: { 201: wire.modelConnection, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createConnection(context, actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List model connections',
        params: wire.modelConnectionsParams,
        querystring: wire.listModelConnectionsQuery,
        response: { 200: wire.modelConnectionPage, ...refusals },
      },
    },
    (request) => listConnections(context, tenantOf(request).projectId, request.query),
  );
  app.get(
    one,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One model connection',
        params: wire.modelConnectionParams,
        response: { 200: wire.modelConnection, ...refusals },
      },
    },
    (request) => getConnection(context, tenantOf(request).projectId, request.params.connectionId),
  );
  app.patch(
    one,
    {
      config: existing(writing),
      schema: {
        tags,
        summary: 'Change a model connection',
        params: wire.modelConnectionParams,
        body: wire.modelConnectionChange,
        response: { 200: wire.modelConnection, ...refusals, 409: errorBody },
      },
    },
    (request) => changeConnection(context, actingOf(request), request.params.connectionId.toLowerCase(), request.body),
  );
  app.delete(
    one,
    {
      config: existing(writing),
      schema: {
        tags,
        summary: 'Delete a model connection',
        params: wire.modelConnectionParams,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteConnection(context, actingOf(request), request.params.connectionId.toLowerCase());
      return reply.code(204).send(null);
    },
  );
}
