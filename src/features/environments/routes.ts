import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/environments.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeEnvironment } from './change-environment.ts';
import { createEnvironment } from './create-environment.ts';
import { deleteEnvironment } from './delete-environment.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { getEnvironment } from './get-environment.ts';
import { listEnvironments } from './list-environments.ts';

const tags = ['governance'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
const writing: Access = { who: 'session', scope: 'project', permission: 'environments:manage' };
const path = '/v1/projects/:id/environments';
const onePath = `${path}/:environmentId`;

/** Environments of a project (docs/semantics.md, "Environments"). */
export function environmentRoutes(app: Server, context: EnvironmentsContext): void {
  route(app, 'POST', path, {
    access: writing,
    tags,
    summary: 'Create an environment',
    params: wire.environmentsParams,
    body: wire.environmentBody,
    answer: [201, wire.environment],
    errors: [409],
    handle: (request) => createEnvironment(context, tenantOf(request), actingOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List environments, oldest first',
    params: wire.environmentsParams,
    query: wire.listEnvironmentsQuery,
    answer: wire.environmentPage,
    handle: (request) => listEnvironments(context, tenantOf(request), request.query),
  });
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: EnvironmentsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { environmentId } = request.params as { environmentId: string };
    await findEnvironment(context.db, tenantOf(request).projectId, environmentId);
  };
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One environment',
    params: wire.environmentParams,
    answer: wire.environment,
    handle: (request) => getEnvironment(context, tenantOf(request), request.params.environmentId),
  });
  route(app, 'PATCH', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Change the description of an environment',
    params: wire.environmentParams,
    body: wire.environmentChange,
    answer: wire.environment,
    errors: [409],
    handle: (request) =>
      changeEnvironment(context, tenantOf(request), actingOf(request), request.params.environmentId, request.body),
  });
  route(app, 'DELETE', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Delete an environment that nothing names',
    params: wire.environmentParams,
    answer: 204,
    also: { 409: wire.environmentInUse },
    handle: (request) => deleteEnvironment(context, actingOf(request), request.params.environmentId),
  });
}
