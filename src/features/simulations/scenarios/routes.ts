import type { FastifyRequest } from 'fastify';
import * as wire from '../../../contract/simulations.ts';
import { actingOf, route, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { changeScenario } from './change-scenario.ts';
import { createScenario } from './create-scenario.ts';
import { deleteScenario } from './delete-scenario.ts';
import { getScenario, listScenarios } from './list-scenarios.ts';
import { findScenario } from './scenario-record.ts';

const tags = ['simulations'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['simulations:run', 'read'] };
const writing: Access = { who: 'key-or-session', permission: 'simulations:manage', keyScopes: ['simulations:run'] };
const path = '/v1/projects/:id/simulations/scenarios';
const onePath = `${path}/:scenarioId`;

/** Scenarios of a project (docs/semantics.md, "Scenarios"). */
export function scenarioRoutes(app: Server, context: SimulationsContext): void {
  route(app, 'POST', path, {
    access: writing,
    limits: 'texts',
    tags,
    summary: 'Create a scenario',
    params: wire.simulationsParams,
    body: wire.scenarioBody,
    answer: [201, wire.scenario],
    errors: [409],
    handle: (request) => createScenario(context, actingOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List scenarios, oldest first',
    params: wire.simulationsParams,
    query: wire.scenariosQuery,
    answer: wire.scenarioPage,
    handle: (request) => listScenarios(context, tenantOf(request).projectId, request.query),
  });
  oneRoutes(app, context);
}

function oneRoutes(app: Server, context: SimulationsContext): void {
  const resource = async (request: FastifyRequest) => {
    const { scenarioId } = request.params as { scenarioId: string };
    await findScenario(context.db, tenantOf(request).projectId, scenarioId);
  };
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One scenario',
    params: wire.scenarioParams,
    answer: wire.scenario,
    handle: (request) => getScenario(context, tenantOf(request).projectId, request.params.scenarioId),
  });
  route(app, 'PATCH', onePath, {
    access: writing,
    resource,
    limits: 'texts',
    tags,
    summary: 'Change a scenario',
    params: wire.scenarioParams,
    body: wire.scenarioChange,
    answer: wire.scenario,
    errors: [409],
    handle: (request) => changeScenario(context, actingOf(request), request.params.scenarioId.toLowerCase(), request.body),
  });
  route(app, 'DELETE', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Delete a scenario; its batch runs stay',
    params: wire.scenarioParams,
    answer: 204,
    handle: (request) => deleteScenario(context, actingOf(request), request.params.scenarioId),
  });
}
