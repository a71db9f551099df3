import type { FastifyRequest } from 'fastify';
import * as wire from '../../../contract/fix-proposals.ts';
import { route, tenantOf, userActorOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { FixProposalsContext } from './fix-proposals-context.ts';
import { getProposal, listProposals } from './proposal-records.ts';
import { startProposal } from './start-proposal.ts';

const tags = ['incidents'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
const starting: Access = { who: 'session', scope: 'project', permission: ['incidents:manage', 'prompts:manage'] };
const path = '/v1/projects/:id/incidents/:incidentId/fix-proposals';

/** Fix proposals of an incident (docs/semantics.md, "Fix proposals"). */
export function fixProposalRoutes(app: Server, context: FixProposalsContext): void {
  const incident = async (request: FastifyRequest) => {
    const { incidentId } = request.params as { incidentId: string };
    return context.incidentOf(tenantOf(request).projectId, incidentId);
  };
  const resource = async (request: FastifyRequest) => void (await incident(request));
  route(app, 'POST', path, {
    access: starting,
    resource,
    tags,
    summary: 'Ask a model to revise the prompt of an incident',
    description:
      "The revision is stored as a version without labels, which latest passes by until it is labelled. 409 no_prompt: the incident's traces name no stored prompt, and neither " +
      'does the request. 409 no_model_connection: the project has none, or several and the request names none. 409 conflict: a proposal for the incident is queued or running.',
    params: wire.fixProposalsParams,
    body: wire.fixProposalBody,
    answer: [202, wire.startedFixProposal],
    errors: [409, 429],
    handle: async (request, reply) => {
      reply.code(202);
      const acting = { tenant: tenantOf(request), actor: userActorOf(request) };
      return startProposal(context, acting, request.params.incidentId, request.body);
    },
  });
  route(app, 'GET', path, {
    access: reading,
    resourceIfInvalid: resource,
    tags,
    summary: 'List the fix proposals of an incident',
    params: wire.fixProposalsParams,
    query: wire.listFixProposalsQuery,
    answer: wire.fixProposalPage,
    handle: async (request) => {
      const { id } = await incident(request);
      return listProposals(context.db, tenantOf(request).projectId, id, request.query);
    },
  });
  route(app, 'GET', `${path}/:proposalId`, {
    access: reading,
    tags,
    summary: 'One fix proposal',
    params: wire.fixProposalParams,
    answer: wire.fixProposal,
    handle: async (request) => {
      const { id } = await incident(request);
      return getProposal(context.db, tenantOf(request).projectId, id, request.params.proposalId);
    },
  });
}
