import type { FastifyReply, FastifyRequest } from 'fastify';
import * as wire from '../../contract/shares.ts';
import { actingOf, jsonType, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { createShare, requireShareable, requireTrace } from './create-share.ts';
import { deleteShare, requireShare } from './delete-share.ts';
import { requireShown } from './find-share.ts';
import { getSharedTrace } from './get-shared-trace.ts';
import { listShares } from './list-shares.ts';
import type { SharesContext } from './shares-context.ts';

const tags = ['shares'];
const managing: Access = { who: 'session', scope: 'project', permission: 'shares:manage' };
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };

/** Routes of links that show a trace without an account (docs/semantics.md, "Shared links"). */
export function shareRoutes(app: Server, context: SharesContext): void {
  const traceOf = (request: FastifyRequest) => (request.params as { traceId: string }).traceId;
  route(app, 'POST', '/v1/projects/:id/traces/:traceId/shares', {
    access: managing,
    resource: (request) => requireShareable(context, tenantOf(request), traceOf(request)),
    tags,
    summary: 'Make a link that shows a trace without an account',
    params: wire.sharesParams,
    body: wire.shareBody,
    answer: [201, wire.shareCreated],
    errors: [409],
    handle: (request) => createShare(context, actingOf(request), request.params.traceId, request.body ?? wire.defaultShare),
  });
  route(app, 'GET', '/v1/projects/:id/traces/:traceId/shares', {
    access: reading,
    resource: (request) => requireTrace(context, tenantOf(request), traceOf(request)),
    tags,
    summary: 'List the valid links of a trace',
    params: wire.sharesParams,
    answer: wire.shareList,
    handle: (request) => listShares(context, tenantOf(request).projectId, request.params.traceId),
  });
  route(app, 'DELETE', '/v1/projects/:id/shares/:shareId', {
    access: managing,
    resource: (request) => requireShare(context, tenantOf(request).projectId, (request.params as { shareId: string }).shareId),
    tags,
    summary: 'Delete a link',
    params: wire.shareParams,
    answer: 204,
    handle: (request) => deleteShare(context, actingOf(request), request.params.shareId),
  });
  route(app, 'GET', '/v1/shares/:token', {
    access: { who: 'public' },
    onRequest: (_request, reply: FastifyReply, done) => {
      // Also for a caller with an API key, whose answers lack the headers for browsers.
      reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      done();
    },
    resourceIfInvalid: (request) => requireShown(context, (request.params as { token: string }).token),
    tags,
    summary: 'The trace that a link shows',
    description:
      'Without project, organization, user, session, tags, metadata, attributes, scores and comments. Every link that shows nothing is the same 404.',
    params: wire.sharedParams,
    answer: wire.sharedTrace,
    errors: [429],
    handle: async (request, reply) => {
      const body = await getSharedTrace(context, request.params.token, { isView: request.method === 'GET' });
      return reply.type(jsonType).send(body as never);
    },
  });
}
