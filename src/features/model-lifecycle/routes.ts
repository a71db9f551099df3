import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/model-lifecycle.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { dismissFinding } from './dismiss-finding.ts';
import { findFinding } from './finding-rows.ts';
import type { LifecycleContext } from './lifecycle-context.ts';
import { listFindings } from './list-findings.ts';
import { deleteOverride, listCatalogue, setOverride } from './overrides.ts';
import { scanProject } from './scan.ts';

const tags = ['model lifecycle'];
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const managing: Access = { who: 'session', scope: 'project', permission: 'alerts:manage' };
const path = '/v1/projects/:id/model-lifecycle';

/** Retirements of called models (docs/semantics.md, "Model lifecycle"). For sessions only. */
export function lifecycleRoutes(app: Server, context: LifecycleContext): void {
  findingRoutes(app, context);
  catalogueRoutes(app, context);
}

function findingRoutes(app: Server, context: LifecycleContext): void {
  route(app, 'GET', `${path}/findings`, {
    access: reading,
    tags,
    summary: 'Called models that are retired soon',
    params: wire.lifecycleParams,
    query: wire.listFindingsQuery,
    answer: wire.findingList,
    handle: (request) => listFindings(context, tenantOf(request).projectId, request.query.state),
  });
  route(app, 'POST', `${path}/findings/:findingId/dismiss`, {
    access: managing,
    resource: async (request: FastifyRequest) => {
      const { findingId } = request.params as { findingId: string };
      await findFinding(context.db, tenantOf(request).projectId, findingId);
    },
    tags,
    summary: 'Dismiss a finding until its retirement comes into a nearer band',
    params: wire.findingParams,
    answer: wire.finding,
    handle: (request) => dismissFinding(context, actingOf(request), request.params.findingId),
  });
  route(app, 'POST', `${path}/scan`, {
    access: managing,
    tags,
    summary: 'Scan the called models now',
    params: wire.lifecycleParams,
    answer: wire.scanAnswer,
    handle: (request) => scanProject(context, tenantOf(request)),
  });
}

function catalogueRoutes(app: Server, context: LifecycleContext): void {
  route(app, 'GET', `${path}/catalogue`, {
    access: reading,
    tags,
    summary: 'The retirement dates that hold for the project',
    params: wire.lifecycleParams,
    answer: wire.lifecycleCatalogue,
    handle: (request) => listCatalogue(context, tenantOf(request).projectId),
  });
  route(app, 'PUT', `${path}/catalogue/:model`, {
    access: managing,
    tags,
    summary: "Set the project's own retirement date of a model",
    params: wire.overrideParams,
    body: wire.overrideBody,
    answer: wire.listedEntry,
    errors: [409],
    handle: (request) => setOverride(context, actingOf(request), request.params.model, request.body),
  });
  route(app, 'DELETE', `${path}/catalogue/:model`, {
    access: managing,
    tags,
    summary: "Delete the project's own retirement date of a model",
    params: wire.overrideParams,
    answer: 204,
    handle: (request) => deleteOverride(context, actingOf(request), request.params.model),
  });
}
