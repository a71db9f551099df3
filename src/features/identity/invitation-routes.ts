import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as wire from '../../contract/identity.ts';
import { organizationOf, route } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { actingInOrganization } from './administration-routes.ts';
import type { IdentityContext } from './identity-context.ts';
import { createInvitation } from './invitations/create-invitation.ts';
import { deleteInvitation, requireInvitation } from './invitations/delete-invitation.ts';
import { listInvitations } from './invitations/list-invitations.ts';

const tags = ['administration'];

/** The invitations of an organization (docs/semantics.md, "Invitations"). */
export function invitationRoutes(app: Server, context: IdentityContext): void {
  const access: Access = { who: 'session', scope: 'organization', permission: 'members:manage' };
  const params = wire.orgParams.extend({ invitationId: z.string() });

  route(app, 'POST', '/v1/organizations/:orgId/invitations', {
    access,
    tags,
    summary: 'Invite a person',
    params: wire.orgParams,
    body: wire.invitationBody,
    answer: [201, wire.invitationCreated],
    errors: [409, 429],
    handle: (request) => createInvitation(context, actingInOrganization(request), request.body),
  });
  route(app, 'POST', '/v1/organizations/:orgId/members', {
    access,
    tags,
    summary: 'Invite a person',
    description: 'The same as POST /v1/organizations/{orgId}/invitations. The person is a member from their acceptance on.',
    params: wire.orgParams,
    body: wire.memberBody,
    answer: [201, wire.invitationCreated],
    errors: [409, 429],
    handle: (request) => createInvitation(context, actingInOrganization(request), request.body),
  });
  route(app, 'GET', '/v1/organizations/:orgId/invitations', {
    access,
    tags,
    summary: 'List the invitations that wait',
    params: wire.orgParams,
    query: wire.listQuery,
    answer: wire.invitationPage,
    handle: (request) => listInvitations(context, organizationOf(request).id, request.query),
  });
  route(app, 'DELETE', '/v1/organizations/:orgId/invitations/:invitationId', {
    access,
    resource: (request: FastifyRequest) =>
      requireInvitation(context, organizationOf(request).id, (request.params as { invitationId: string }).invitationId),
    tags,
    summary: 'Delete an invitation',
    params,
    answer: 204,
    handle: (request) => deleteInvitation(context, actingInOrganization(request), request.params.invitationId),
  });
}
