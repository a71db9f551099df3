import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/model-lifecycle.ts';
import { actingOf, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { dismissFinding } from './dismiss-finding.ts';
import { findFinding } from './finding-rows.ts';
import type { LifecycleContext } from './lifecycle-context.ts';
import { listFindings } from './list-findings.ts';
import { deleteOverride, listCatalogue, setOverride } from './overrides.ts';
import { scanProject } from './scan.ts';

const tags = ['model lifecycle'];
const refusals = { 400: errorBody, 403: errorBody, 404: errorBody };
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const managing: Access = { who: 'session', scope: 'project', permission: 'alerts:manage' };
const path = '/v1/projects/:id/model-lifecycle';

/** Retirements of called models (docs/semantics.md, "Model lifecycle"). For sessions only. */
export function lifecycleRoutes(app: Server, context: LifecycleContext): void {
  findingRoutes(app, context);
  catalogueRoutes(app, context);
}

function findingRoutes(app: Server, context: LifecycleContext): void {
  app.get(
    `${path}/findings`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Called models that are retired soon',
        params: wire.lifecycleParams,
        querystring: wire.listFindingsQuery,
        response: { 200: wire.findingList, ...refusals },
      },
    },
    (request) => listFindings(context, tenantOf(request).projectId, request.query.state),
  );
  app.post(
    `${path}/findings/:findingId/dismiss`,
    {
      config: {
        access: managing,
        resource: async (request: FastifyRequest) => {
          const { findingId } = request.params as { findingId: string };
          await findFinding(context.db, tenantOf(request).projectId, findingId);
        },
      },
      schema: {
        tags,
        summary: 'Dismiss a finding until its retirement comes into a nearer band',
        params: wire.findingParams,
        response: { 200: wire.finding, ...refusals },
      },
    },
    (request) => dismissFinding(context, actingOf(request), request.params.findingId),
  );
  app.post(
    `${path}/scan`,
    {
      config: { access: managing },
      schema: {
        tags,
        summary: 'Scan the called models now',
        params: wire.lifecycleParams,
        response: { 200: wire.scanAnswer, ...refusals },
      },
    },
    (request) => scanProject(context, tenantOf(request)),
  );
}

function catalogueRoutes(app: Server, context: LifecycleContext): void {
  app.get(
    `${path}/catalogue`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'The retirement dates that hold for the project',
        params: wire.lifecycleParams,
        response: { 200: wire.lifecycleCatalogue, ...refusals },
      },
    },
    (request) => listCatalogue(context, tenantOf(request).projectId),
  );
  app.put(
    `${path}/catalogue/:model`,
    {
      config: { access: managing },
      schema: {
        tags,
        summary: "Set the project's own retirement date of a model",
        params: wire.overrideParams,
        body: wire.overrideBody,
        response: { 200: wire.listedEntry, ...refusals, 409: errorBody },
      },
    },
    (request) => setOverride(context, actingOf(request), request.params.model, request.body),
  );
  app.delete(
    `${path}/catalogue/:model`,
    {
      config: { access: managing },
      schema: {
        tags,
        summary: "Delete the project's own retirement date of a model",
        params: wire.overrideParams,
        response: { 204: z.null(), ...refusals },
      },
    },
    async (request, reply) => {
      await deleteOverride(context, tenantOf(request).projectId, request.params.model);
      return reply.code(204).send(null);
    },
  );
}
