import type { FastifyRequest } from 'fastify';
import * as wire from '../../../contract/guardrails.ts';
import { actingOf, route, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { changeGuardrail } from './change-guardrail.ts';
import { createGuardrail } from './create-guardrail.ts';
import { deleteGuardrail } from './delete-guardrail.ts';
import { getGuardrail } from './get-guardrail.ts';
import { listGuardrails } from './list-guardrails.ts';

const tags = ['governance'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] };
const writing: Access = { who: 'session', scope: 'project', permission: 'guardrails:manage' };
const path = '/v1/projects/:id/guardrails';
const onePath = `${path}/:guardrailId`;

/** The records of guardrails (docs/semantics.md, "Guardrails"). */
export function recordRoutes(app: Server, context: GuardrailsContext): void {
  route(app, 'POST', path, {
    access: writing,
    limits: 'records',
    tags,
    summary: 'Create a guardrail',
    params: wire.guardrailsParams,
    body: wire.guardrailBody,
    answer: [201, wire.guardrail],
    errors: [409, 413],
    handle: (request) => createGuardrail(context, actingOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List guardrails, oldest first',
    params: wire.guardrailsParams,
    query: wire.listGuardrailsQuery,
    answer: wire.guardrailPage,
    handle: (request) => listGuardrails(context, tenantOf(request).projectId, request.query),
  });
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: GuardrailsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { guardrailId } = request.params as { guardrailId: string };
    await getGuardrail(context, tenantOf(request).projectId, guardrailId);
  };
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One guardrail',
    params: wire.guardrailParams,
    answer: wire.guardrail,
    handle: (request) => getGuardrail(context, tenantOf(request).projectId, request.params.guardrailId),
  });
  route(app, 'PATCH', onePath, {
    access: writing,
    resource,
    limits: 'records',
    tags,
    summary: 'Change a guardrail',
    params: wire.guardrailParams,
    body: wire.guardrailChange,
    answer: wire.guardrail,
    errors: [409, 413],
    handle: (request) => changeGuardrail(context, actingOf(request), request.params.guardrailId, request.body),
  });
  route(app, 'DELETE', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Delete a guardrail',
    params: wire.guardrailParams,
    answer: 204,
    errors: [409],
    handle: (request) => deleteGuardrail(context, actingOf(request), request.params.guardrailId),
  });
}
