import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as wire from '../../contract/identity.ts';
import type { Permission } from '../../contract/permissions.ts';
import { actingOf, organizationOf, route, tenantOf, userActorOf, userOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { createApiKey, listApiKeys, requireApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { changeApiKey } from './change-api-key.ts';
import type { IdentityContext } from './identity-context.ts';
import { changeMember, listMembers, removeMember, requireMember } from './members.ts';
import type { ActingInOrganization } from './members.ts';
import { requireOrganizationCreation } from './organization-creation.ts';
import { changeOrganization, createOrganization, listOrganizations } from './organizations.ts';
import { createProject, listProjects } from './projects.ts';
import { revokeAccess } from './revoke-access.ts';

const tags = ['administration'];

function organizationAccess(permission: Permission): { access: Extract<Access, { who: 'session' }> } {
  return { access: { who: 'session', scope: 'organization', permission } };
}

function projectAccess(permission: Permission): { access: Access } {
  return { access: { who: 'session', scope: 'project', permission } };
}

/** Who acts in the organization of the path, and as what. */
export function actingInOrganization(request: FastifyRequest): ActingInOrganization {
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
  const anyUser: Access = { who: 'session', scope: 'user' } as Access;
  route(app, 'POST', '/v1/organizations', {
    access: anyUser,
    resource: (request) => requireOrganizationCreation(context, userOf(request).userId),
    tags,
    summary: 'Create an organization',
    body: wire.organizationBody,
    answer: [201, wire.organization],
    errors: [404, 409],
    handle: (request) => createOrganization(context, userActorOf(request), request.body),
  });
  route(app, 'GET', '/v1/organizations', {
    access: anyUser,
    tags,
    summary: 'List your organizations',
    query: wire.listQuery,
    answer: wire.organizationPage,
    errors: [404],
    handle: (request) => listOrganizations(context, userOf(request).userId, request.query),
  });
  route(app, 'PATCH', '/v1/organizations/:orgId', {
    ...organizationAccess('organization:manage'),
    tags,
    summary: 'Change an organization',
    params: wire.orgParams,
    body: wire.organizationChange,
    answer: wire.organization,
    handle: (request) => changeOrganization(context, organizationOf(request), userActorOf(request), request.body),
  });
  route(app, 'POST', '/v1/organizations/:orgId/projects', {
    // There is no permission for projects: the one for API keys allows creating a project.
    ...organizationAccess('keys:manage'),
    tags,
    summary: 'Create a project',
    params: wire.orgParams,
    body: wire.projectBody,
    answer: [201, wire.project],
    errors: [409],
    handle: (request) => createProject(context, actingInOrganization(request), request.body),
  });
  route(app, 'GET', '/v1/organizations/:orgId/projects', {
    ...organizationAccess('dashboard:read'),
    tags,
    summary: 'List the projects of an organization',
    params: wire.orgParams,
    query: wire.listQuery,
    answer: wire.projectPage,
    handle: (request) => listProjects(context, organizationOf(request).id, request.query),
  });
}

function memberRoutes(app: Server, context: IdentityContext): void {
  const config = organizationAccess('members:manage');
  const params = wire.orgParams.extend({ userId: z.string() });
  const oneConfig = {
    ...config,
    resource: (request: FastifyRequest) =>
      requireMember(context, organizationOf(request).id, (request.params as { userId: string }).userId),
  };
  route(app, 'GET', '/v1/organizations/:orgId/members', {
    ...organizationAccess('dashboard:read'),
    tags,
    summary: 'List the members of an organization',
    params: wire.orgParams,
    query: wire.listQuery,
    answer: wire.memberPage,
    handle: (request) => listMembers(context, organizationOf(request), request.query),
  });
  route(app, 'PATCH', '/v1/organizations/:orgId/members/:userId', {
    ...oneConfig,
    tags,
    summary: 'Change the role or name of a member',
    params,
    body: wire.memberChange,
    answer: wire.member,
    errors: [409],
    handle: (request) => changeMember(context, actingInOrganization(request), request.params.userId, request.body),
  });
  route(app, 'DELETE', '/v1/organizations/:orgId/members/:userId', {
    ...oneConfig,
    // Anyone may leave.
    access: { ...config.access, orSelf: true },
    tags,
    summary: 'Remove a member, or leave',
    params,
    answer: 204,
    errors: [409],
    handle: (request) => removeMember(context, actingInOrganization(request), request.params.userId),
  });
  route(app, 'POST', '/v1/organizations/:orgId/members/:userId/revoke', {
    ...oneConfig,
    tags,
    summary: "End a member's sessions and personal tokens",
    params,
    answer: 204,
    errors: [409],
    handle: (request) => revokeAccess(context, actingInOrganization(request), request.params.userId),
  });
}

function apiKeyRoutes(app: Server, context: IdentityContext): void {
  const config = projectAccess('keys:manage');
  const params = wire.projectParams.extend({ keyId: z.string() });
  const oneConfig = {
    ...config,
    resource: (request: FastifyRequest) =>
      requireApiKey(context, tenantOf(request).projectId, (request.params as { keyId: string }).keyId),
  };
  route(app, 'POST', '/v1/projects/:id/api-keys', {
    ...config,
    tags,
    summary: 'Create an API key',
    params: wire.projectParams,
    body: wire.apiKeyBody,
    answer: [201, wire.apiKeyCreated],
    errors: [409],
    handle: (request) => createApiKey(context, actingOf(request), request.body),
  });
  route(app, 'GET', '/v1/projects/:id/api-keys', {
    ...config,
    tags,
    summary: 'List the API keys of a project',
    params: wire.projectParams,
    query: wire.listQuery,
    answer: wire.apiKeyPage,
    handle: (request) => listApiKeys(context, tenantOf(request).projectId, request.query),
  });
  route(app, 'POST', '/v1/projects/:id/api-keys/:keyId/rotate', {
    ...oneConfig,
    tags,
    summary: 'Replace an API key, which stays valid for a while',
    params,
    body: wire.rotateBody,
    answer: wire.rotated,
    handle: (request) => rotateApiKey(context, actingOf(request), request.params.keyId.toLowerCase(), request.body ?? {}),
  });
  route(app, 'PATCH', '/v1/projects/:id/api-keys/:keyId', {
    ...oneConfig,
    tags,
    summary: 'Change the name, scopes or expiry of an API key',
    description: 'Holds at once, on other replicas within 3 seconds.',
    params,
    body: wire.apiKeyChange,
    answer: wire.apiKey,
    errors: [409],
    handle: (request) => changeApiKey(context, actingOf(request), request.params.keyId.toLowerCase(), request.body),
  });
  route(app, 'DELETE', '/v1/projects/:id/api-keys/:keyId', {
    ...oneConfig,
    tags,
    summary: 'Revoke an API key',
    params,
    answer: 204,
    handle: (request) => revokeApiKey(context, actingOf(request), request.params.keyId.toLowerCase()),
  });
}
