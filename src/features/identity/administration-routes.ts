import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/identity.ts';
import type { Permission } from '../../contract/permissions.ts';
import { actingOf, organizationOf, tenantOf, userActorOf, userOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { createApiKey, listApiKeys, requireApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts';
import type { IdentityContext } from './identity-context.ts';
import { addMember, changeMember, listMembers, removeMember, requireMember } from './members.ts';
import { createOrganization, listOrganizations, renameOrganization } from './organizations.ts';
import { createProject, listProjects } from './projects.ts';

const tags = ['administration'];
const refusals = { 400: errorBody, 403: errorBody, 404: errorBody };

function organizationAccess(permission?: Permission): { access: Access } {
  return { access: { who: 'session', scope: 'organization', ...(permission ? { permission } : {}) } };
}

function projectAccess(permission: Permission): { access: Access } {
  return { access: { who: 'session', scope: 'project', permission } };
}

function actingInOrganization(request: FastifyRequest) {
  const { id, role } = organizationOf(request);
  return { organizationId: id, role, actor: userActorOf(request) };
}

/** Organizations, their projects, members and API keys (docs/semantics.md, "Administration"). */
export function administrationRoutes(app: Server, context: IdentityContext): void {
  organizationRoutes(app, context);
  memberRoutes(app, context);
  apiKeyRoutes(app, context);
}

function organizationRoutes(app: Server, context: IdentityContext): void {
  const anyUser = { access: { who: 'session', scope: 'user' } as Access };
  app.post(
    '/v1/organizations',
    { config: anyUser, schema: { tags, body: wire.organizationBody, response: { 201: wire.organization, ...refusals } } },
    async (request, reply) => {
      reply.code(201);
      return createOrganization(context, userActorOf(request), request.body);
    },
  );
  app.get(
    '/v1/organizations',
    { config: anyUser, schema: { tags, querystring: wire.listQuery, response: { 200: wire.organizationPage, ...refusals } } },
    (request) => listOrganizations(context, userOf(request).userId, request.query),
  );
  app.patch(
    '/v1/organizations/:orgId',
    {
      config: organizationAccess('organization:manage'),
      schema: { tags, params: wire.orgParams, body: wire.organizationBody, response: { 200: wire.organization, ...refusals } },
    },
    (request) => renameOrganization(context, organizationOf(request), request.body),
  );
  app.post(
    '/v1/organizations/:orgId/projects',
    {
      // There is no permission for projects: the one for API keys allows creating a project.
      config: organizationAccess('keys:manage'),
      schema: { tags, params: wire.orgParams, body: wire.projectBody, response: { 201: wire.project, ...refusals } },
    },
    async (request, reply) => {
      reply.code(201);
      return createProject(context, actingInOrganization(request), request.body);
    },
  );
  app.get(
    '/v1/organizations/:orgId/projects',
    {
      config: organizationAccess('dashboard:read'),
      schema: { tags, params: wire.orgParams, querystring: wire.listQuery, response: { 200: wire.projectPage, ...refusals } },
    },
    (request) => listProjects(context, organizationOf(request).id, request.query),
  );
}

function memberRoutes(app: Server, context: IdentityContext): void {
  const config = organizationAccess('members:manage');
  const params = wire.orgParams.extend({ userId: z.string() });
  const oneConfig = {
    ...config,
    resource: (request: FastifyRequest) =>
      requireMember(context, organizationOf(request).id, (request.params as { userId: string }).userId),
  };
  app.post(
    '/v1/organizations/:orgId/members',
    {
      config,
      schema: {
        tags,
        params: wire.orgParams,
        body: wire.memberBody,
        response: { 201: wire.memberCreated, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return addMember(context, actingInOrganization(request), request.body);
    },
  );
  app.get(
    '/v1/organizations/:orgId/members',
    {
      config: organizationAccess('dashboard:read'),
      schema: { tags, params: wire.orgParams, querystring: wire.listQuery, response: { 200: wire.memberPage, ...refusals } },
    },
    (request) => listMembers(context, organizationOf(request).id, request.query),
  );
  app.patch(
    '/v1/organizations/:orgId/members/:userId',
    {
      config: oneConfig,
      schema: { tags, params, body: wire.memberChange, response: { 200: wire.member, ...refusals, 409: errorBody } },
    },
    (request) => changeMember(context, actingInOrganization(request), request.params.userId, request.body),
  );
  app.delete(
    '/v1/organizations/:orgId/members/:userId',
    { config: oneConfig, schema: { tags, params, response: { 204: z.null(), ...refusals, 409: errorBody } } },
    async (request, reply) => {
      await removeMember(context, actingInOrganization(request), request.params.userId);
      return reply.code(204).send(null);
    },
  );
}

function apiKeyRoutes(app: Server, context: IdentityContext): void {
  const config = projectAccess('keys:manage');
  const params = wire.projectParams.extend({ keyId: z.string() });
  const oneConfig = {
    ...config,
    resource: (request: FastifyRequest) =>
      requireApiKey(context, tenantOf(request).projectId, (request.params as { keyId: string }).keyId),
  };
  app.post(
    '/v1/projects/:id/api-keys',
    {
      config,
      schema: { tags, params: wire.projectParams, body: wire.apiKeyBody, response: { 201: wire.apiKeyCreated, ...refusals } },
    },
    async (request, reply) => {
      reply.code(201);
      return createApiKey(context, actingOf(request), request.body);
    },
  );
  app.get(
    '/v1/projects/:id/api-keys',
    {
      config,
      schema: { tags, params: wire.projectParams, querystring: wire.listQuery, response: { 200: wire.apiKeyPage, ...refusals } },
    },
    (request) => listApiKeys(context, tenantOf(request).projectId, request.query),
  );
  app.post(
    '/v1/projects/:id/api-keys/:keyId/rotate',
    { config: oneConfig, schema: { tags, params, body: wire.rotateBody, response: { 200: wire.rotated, ...refusals } } },
    (request) => rotateApiKey(context, actingOf(request), request.params.keyId.toLowerCase(), request.body ?? {}),
  );
  app.delete(
    '/v1/projects/:id/api-keys/:keyId',
    { config: oneConfig, schema: { tags, params, response: { 204: z.null(), ...refusals } } },
    async (request, reply) => {
      await revokeApiKey(context, actingOf(request), request.params.keyId.toLowerCase());
      return reply.code(204).send(null);
    },
  );
}
