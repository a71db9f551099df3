import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../../contract/common.ts';
import * as wire from '../../../contract/simulations.ts';
import { actingOf, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { changeScenario } from './change-scenario.ts';
import { createScenario } from './create-scenario.ts';
import { deleteScenario } from './delete-scenario.ts';
import { getScenario, listScenarios } from './list-scenarios.ts';
import { findScenario } from './scenario-record.ts';

const tags = ['simulations'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'key-or-session', permission: 'simulations:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const path = '/v1/projects/:id/simulations/scenarios';
const onePath = `${path}/:scenarioId`;

/** Scenarios of a project (docs/semantics.md, "Scenarios"). */
export function scenarioRoutes(app: Server, context: SimulationsContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create a scenario',
        params: wire.simulationsParams,
        body: wire.scenarioBody,
        response: { 201: wire.scenario, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createScenario(context, actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List scenarios, oldest first',
        params: wire.simulationsParams,
        querystring: wire.scenariosQuery,
        response: { 200: wire.scenarioPage, ...refusals },
      },
    },
    (request) => listScenarios(context, tenantOf(request).projectId, request.query),
  );
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: SimulationsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { scenarioId } = request.params as { scenarioId: string };
    await findScenario(context.db, tenantOf(request).projectId, scenarioId);
  };
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: { tags, summary: 'One scenario', params: wire.scenarioParams, response: { 200: wire.scenario, ...refusals } },
    },
    (request) => getScenario(context, tenantOf(request).projectId, request.params.scenarioId),
  );
  app.patch(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Change a scenario',
        params: wire.scenarioParams,
        body: wire.scenarioChange,
        response: { 200: wire.scenario, ...refusals, 409: errorBody },
      },
    },
    (request) => changeScenario(context, actingOf(request), request.params.scenarioId.toLowerCase(), request.body),
  );
  app.delete(
    onePath,
    {
      config: { access: writing, resource },
      schema: {
        tags,
        summary: 'Delete a scenario; its batch runs stay',
        params: wire.scenarioParams,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteScenario(context, actingOf(request), request.params.scenarioId);
      return reply.code(204).send(null);
    },
  );
}
