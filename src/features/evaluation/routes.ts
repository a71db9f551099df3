import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, pageQuery, usedByScenarios } from '../../contract/common.ts';
import * as wire from '../../contract/evaluations.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
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
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read' };
const writing: Access = { who: 'key-or-session', permission: 'evaluations:manage' };
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody };
const projectParams = wire.evaluatorParams.pick({ id: true });
const path = '/v1/projects/:id/evaluators';
const onePath = `${path}/:evaluatorId`;

/** Evaluators and their runs (docs/semantics.md, "Evaluators"). */
export function evaluationRoutes(app: Server, context: EvaluationContext): void {
  collectionRoutes(app, context);
  evaluatorRoutes(app, context);
  app.get(
    '/v1/projects/:id/evaluations',
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List evaluations',
        params: projectParams,
        querystring: wire.listEvaluationsQuery,
        response: { 200: wire.evaluationPage, ...refusals },
      },
    },
    (request) => {
      const { projectId, plan } = tenantOf(request);
      return listEvaluations(context, { projectId, oldestMs: retentionCutoff(plan, context.clock.now()) }, request.query);
    },
  );
}

function collectionRoutes(app: Server, context: EvaluationContext): void {
  app.post(
    path,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Create an evaluator',
        description:
          'It evaluates data that arrives from now on, and items that are added to dataset runs. Its scores are stored like any others: they have its slug, ' +
          'reach the figures of models, and replace each other when the same span, trace or session is evaluated again because it has changed. A span or trace that comes again and ' +
          'no longer fits the filter has its score withdrawn, and so has whatever leaves nothing to measure. An evaluation ' +
          'that fails is listed with its error and gives no score.',
        params: projectParams,
        body: wire.evaluatorBody,
        response: { 201: wire.evaluator, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createEvaluator(context, actingOf(request), request.body);
    },
  );
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'List evaluators',
        params: projectParams,
        querystring: pageQuery,
        response: { 200: wire.evaluatorPage, ...refusals },
      },
    },
    (request) => listEvaluators(context, tenantOf(request).projectId, request.query),
  );
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
  app.get(
    onePath,
    {
      config: { access: reading },
      schema: { tags, summary: 'One evaluator', params, response: { 200: wire.evaluator, ...refusals } },
    },
    async (request) => toRecord(await findEvaluator(context.db, tenantOf(request).projectId, request.params.evaluatorId)),
  );
  app.patch(
    onePath,
    {
      config: existing(writing),
      schema: {
        tags,
        summary: 'Change an evaluator',
        params,
        body: wire.evaluatorChange,
        response: { 200: wire.evaluator, ...refusals, 409: errorBody },
      },
    },
    (request) => changeEvaluator(context, actingOf(request), request.params.evaluatorId, request.body),
  );
  app.delete(
    onePath,
    {
      config: existing(writing),
      schema: { tags, summary: 'Delete an evaluator', params, response: { 204: z.null(), ...refusals, 409: usedByScenarios } },
    },
    async (request, reply) => {
      await deleteEvaluator(context, actingOf(request), request.params.evaluatorId);
      return reply.code(204).send(null);
    },
  );
}
