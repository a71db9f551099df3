import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../../contract/common.ts';
import * as wire from '../../../contract/guardrails.ts';
import { actingOf, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { changeGuardrail } from './change-guardrail.ts';
import { createGuardrail } from './create-guardrail.ts';
import { deleteGuardrail } from './delete-guardrail.ts';
import { getGuardrail } from './get-guardrail.ts';
import { listGuardrails } from './list-guardrails.ts';

const tags = ['governance'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'guardrails:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/guardrails';
const onePath = `${path}/:guardrailId`;

/** The records of guardrails (docs/semantics.md, "Guardrails"). */
export function recordRoutes(app: Server, context: GuardrailsContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create a guardrail',
        params: wire.guardrailsParams,
        body: wire.guardrailBody,
        response: { 201: wire.guardrail, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createGuardrail(context, actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List guardrails, oldest first',
        params: wire.guardrailsParams,
        querystring: wire.listGuardrailsQuery,
        response: { 200: wire.guardrailPage, ...refusals },
      },
    },
    (request) => listGuardrails(context, tenantOf(request).projectId, request.query),
  );
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: GuardrailsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { guardrailId } = request.params as { guardrailId: string };
    await getGuardrail(context, tenantOf(request).projectId, guardrailId);
  };
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'One guardrail',
        params: wire.guardrailParams,
        response: { 200: wire.guardrail, ...refusals },
      },
    },
    (request) => getGuardrail(context, tenantOf(request).projectId, request.params.guardrailId),
  );
  app.patch(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Change a guardrail',
        params: wire.guardrailParams,
        body: wire.guardrailChange,
        response: { 200: wire.guardrail, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    (request) => changeGuardrail(context, actingOf(request), request.params.guardrailId, request.body),
  );
  app.delete(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Delete a guardrail',
        params: wire.guardrailParams,
        response: { 204: z.null(), ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      await deleteGuardrail(context, actingOf(request), request.params.guardrailId);
      return reply.code(204).send(null);
    },
  );
}
