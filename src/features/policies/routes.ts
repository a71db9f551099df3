import { z } from 'zod';
import * as wire from '../../contract/policies.ts';
import { actingOf, organizationOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { FastifyRequest } from 'fastify';
import { applyFiles } from './apply/apply-files.ts';
import { planFiles } from './plan/plan-files.ts';
import { pullFiles } from './pull/pull-files.ts';
import { attachPolicy, detachPolicy } from './records/change-management.ts';
import { findPolicy } from './records/find-policy.ts';
import { listPolicies } from './records/list-policies.ts';
import { listRevisions } from './records/list-revisions.ts';
import { rollUpPolicies } from './records/organization-policies.ts';
import { policySchema } from './documents/policy-schema.ts';
import { takeJsonBodies } from './json-body.ts';
import type { PoliciesContext } from './policies-context.ts';
import { validateFiles } from './validate-files.ts';

const tags = ['governance'];
const reading: Access = { who: 'session', scope: 'project', permission: 'policy:read' };
const applying: Access = { who: 'session', scope: 'project', permission: 'policy:apply' };
const ofOrganization: Access = { who: 'session', scope: 'organization', permission: 'policy:read' };
const path = '/v1/projects/:id/policies';

/** Policy-as-code (docs/semantics.md, "Policies"). */
export async function policyRoutes(app: Server, context: PoliciesContext): Promise<void> {
  schemaRoute(app);
  listRoutes(app, context);
  policyRoute(app, context);
  pullRoute(app, context);
  await app.register((scope: Server, _options, done) => {
    takeJsonBodies(scope);
    fileRoutes(scope, context);
    done();
  });
}

function schemaRoute(app: Server): void {
  let schema: ReturnType<typeof policySchema> | null = null;
  route(app, 'GET', '/v1/policies/schema.json', {
    access: { who: 'public' },
    tags,
    summary: 'The JSON Schema of a document of a policy file, for editors',
    answer: z.record(z.string(), z.unknown()),
    handle: () => (schema ??= policySchema()),
  });
}

function fileRoutes(app: Server, context: PoliciesContext): void {
  const common = { tags, params: wire.policiesParams };
  route(app, 'POST', `${path}/validate`, {
    access: reading,
    limits: 'policyFiles',
    ...common,
    summary: 'Check policy files',
    body: wire.validateBody,
    answer: wire.validation,
    errors: [413],
    handle: (request) => validateFiles(context, tenantOf(request).projectId, request.body.files),
  });
  route(app, 'POST', `${path}/plan`, {
    access: reading,
    limits: 'policyFiles',
    ...common,
    summary: 'What applying policy files would change, and would have done to recorded spans',
    body: wire.planBody,
    answer: wire.policyPlan,
    errors: [413],
    handle: (request) => planFiles(context, tenantOf(request), request.body),
  });
  route(app, 'POST', `${path}/apply`, {
    access: applying,
    limits: 'policyFiles',
    ...common,
    summary: 'Apply planned policy files',
    description: 'All in one transaction. The files are everything that code manages: what no file names is removed.',
    body: wire.applyBody,
    answer: wire.applied,
    errors: [409, 413],
    handle: (request) => applyFiles(context, actingOf(request), request.body),
  });
}

function listRoutes(app: Server, context: PoliciesContext): void {
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'Every environment and guardrail, and who manages it',
    params: wire.policiesParams,
    answer: wire.policyList,
    handle: (request) => listPolicies(context, tenantOf(request).projectId),
  });
  route(app, 'GET', `${path}/revisions`, {
    access: reading,
    tags,
    summary: 'The revisions of the policies, newest first',
    params: wire.policiesParams,
    query: wire.listRevisionsQuery,
    answer: wire.policyRevisionPage,
    handle: (request) => listRevisions(context, tenantOf(request).projectId, request.query),
  });
  route(app, 'GET', '/v1/organizations/:orgId/policies', {
    access: ofOrganization,
    tags,
    summary: 'The policies of every project',
    params: wire.organizationPoliciesParams,
    answer: wire.organizationPolicies,
    handle: (request) => rollUpPolicies(context, organizationOf(request).id),
  });
}

function pullRoute(app: Server, context: PoliciesContext): void {
  route(app, 'GET', `${path}/pull`, {
    access: reading,
    tags,
    summary: 'The policies as files, of the latest revision or an earlier one',
    params: wire.policiesParams,
    query: wire.pullQuery,
    answer: wire.pulled,
    handle: (request) => pullFiles(context, tenantOf(request).projectId, request.query.revision),
  });
}

function policyRoute(app: Server, context: PoliciesContext): void {
  const resource = async (request: FastifyRequest) => {
    const { policyId } = request.params as { policyId: string };
    await findPolicy(context.db, tenantOf(request).projectId, policyId);
  };
  const one = { access: applying, resource, tags, params: wire.policyParams, answer: wire.policy, errors: [409] } as const;
  route(app, 'POST', `${path}/:policyId/detach`, {
    ...one,
    summary: 'Give a policy that code manages to the dashboard',
    handle: (request) => detachPolicy(context, actingOf(request), request.params.policyId),
  });
  route(app, 'POST', `${path}/:policyId/attach`, {
    ...one,
    summary: 'Give a detached policy back to code',
    description: 'Refused (`differs_from_file`, with `fields`) where it differs from its file, unless forced.',
    body: wire.attachBody,
    handle: (request) =>
      attachPolicy(context, actingOf(request), request.params.policyId, { force: request.body?.force ?? false }),
  });
}
