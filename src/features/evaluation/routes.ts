import type { FastifyRequest } from 'fastify';
import { pageQuery, usedByScenarios } from '../../contract/common.ts';
import * as wire from '../../contract/evaluations.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { toRecord } from './evaluator.ts';
import { changeEvaluator } from './evaluators/change-evaluator.ts';
import { createEvaluator } from './evaluators/create-evaluator.ts';
import { deleteEvaluator } from './evaluators/delete-evaluator.ts';
import { findEvaluator } from './evaluators/find-evaluator.ts';
import { listEvaluators } from './evaluators/list-evaluators.ts';
import { listEvaluations } from './list-evaluations.ts';

const tags = ['evaluation'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
const writing: Access = { who: 'key-or-session', permission: 'evaluations:manage', keyScopes: 'none' };
const projectParams = wire.evaluatorParams.pick({ id: true });
const path = '/v1/projects/:id/evaluators';
const onePath = `${path}/:evaluatorId`;

/** Evaluators and their runs (docs/semantics.md, "Evaluators"). */
export function evaluationRoutes(app: Server, context: EvaluationContext): void {
  collectionRoutes(app, context);
  evaluatorRoutes(app, context);
  route(app, 'GET', '/v1/projects/:id/evaluations', {
    access: reading,
    tags,
    summary: 'List evaluations',
    params: projectParams,
    query: wire.listEvaluationsQuery,
    answer: wire.evaluationPage,
    handle: (request) => {
      const { projectId, plan } = tenantOf(request);
      return listEvaluations(context, { projectId, oldestMs: retentionCutoff(plan, context.clock.now()) }, request.query);
    },
  });
}

function collectionRoutes(app: Server, context: EvaluationContext): void {
  route(app, 'POST', path, {
    access: writing,
    limits: 'texts',
    tags,
    summary: 'Create an evaluator',
    description:
      'It evaluates data that arrives from now on, and items that are added to dataset runs. Its scores are stored like any others: they have its slug, ' +
      'reach the figures of models, and replace each other when the same span, trace or session is evaluated again because it has changed. A span or trace that comes again and ' +
      'no longer fits the filter has its score withdrawn, and so has whatever leaves nothing to measure. An evaluation ' +
      'that fails is listed with its error and gives no score.',
    params: projectParams,
    body: wire.evaluatorBody,
    answer: [201, wire.evaluator],
    errors: [409],
    handle: (request) => createEvaluator(context, actingOf(request), request.body),
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List evaluators',
    params: projectParams,
    query: pageQuery,
    answer: wire.evaluatorPage,
    handle: (request) => listEvaluators(context, tenantOf(request).projectId, request.query),
  });
}

function evaluatorRoutes(app: Server, context: EvaluationContext): void {
  const existing = (access: Access) => ({
    access,
    resource: async (request: FastifyRequest) => {
      const { evaluatorId } = request.params as { evaluatorId: string };
      await findEvaluator(context.db, tenantOf(request).projectId, evaluatorId);
    },
  });
  const params = wire.evaluatorParams;
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One evaluator',
    params,
    answer: wire.evaluator,
    handle: async (request) => toRecord(await findEvaluator(context.db, tenantOf(request).projectId, request.params.evaluatorId)),
  });
  route(app, 'PATCH', onePath, {
    ...existing(writing),
    limits: 'texts',
    tags,
    summary: 'Change an evaluator',
    params,
    body: wire.evaluatorChange,
    answer: wire.evaluator,
    errors: [409],
    handle: (request) => changeEvaluator(context, actingOf(request), request.params.evaluatorId, request.body),
  });
  route(app, 'DELETE', onePath, {
    ...existing(writing),
    tags,
    summary: 'Delete an evaluator',
    params,
    answer: 204,
    also: { 409: usedByScenarios },
    handle: (request) => deleteEvaluator(context, actingOf(request), request.params.evaluatorId),
  });
}
