import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/environments.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeEnvironment } from './change-environment.ts';
import { createEnvironment } from './create-environment.ts';
import { deleteEnvironment } from './delete-environment.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { getEnvironment } from './get-environment.ts';
import { listEnvironments } from './list-environments.ts';

const tags = ['governance'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'environments:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/environments';
const onePath = `${path}/:environmentId`;

/** Environments of a project (docs/semantics.md, "Environments"). */
export function environmentRoutes(app: Server, context: EnvironmentsContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create an environment',
        params: wire.environmentsParams,
        body: wire.environmentBody,
        response: { 201: wire.environment, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createEnvironment(context, tenantOf(request), actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List environments, oldest first',
        params: wire.environmentsParams,
        querystring: wire.listEnvironmentsQuery,
        response: { 200: wire.environmentPage, ...refusals },
      },
    },
    (request) => listEnvironments(context, tenantOf(request), request.query),
  );
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: EnvironmentsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { environmentId } = request.params as { environmentId: string };
    await findEnvironment(context.db, tenantOf(request).projectId, environmentId);
  };
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One environment',
        params: wire.environmentParams,
        response: { 200: wire.environment, ...refusals },
      },
    },
    (request) => getEnvironment(context, tenantOf(request), request.params.environmentId),
  );
  app.patch(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Change the description of an environment',
        params: wire.environmentParams,
        body: wire.environmentChange,
        response: { 200: wire.environment, ...refusals, 409: errorBody },
      },
    },
    (request) => changeEnvironment(context, tenantOf(request), actingOf(request), request.params.environmentId, request.body),
  );
  app.delete(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Delete an environment that nothing names',
        params: wire.environmentParams,
        response: { 204: z.null(), ...refusals, 409: wire.environmentInUse },
      },
    },
    async (request, reply) => {
      await deleteEnvironment(context, actingOf(request), request.params.environmentId);
      return reply.code(204).send(null);
    },
  );
}
