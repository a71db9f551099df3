import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/policies.ts';
import { actingOf, organizationOf, tenantOf } from '../../platform/http/index.ts';
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
import { maxBodyBytes, takeJsonBodies } from './json-body.ts';
import type { PoliciesContext } from './policies-context.ts';
import { validateFiles } from './validate-files.ts';

const tags = ['governance'];
const reading: Access = { who: 'session', scope: 'project', permission: 'policy:read' };
const applying: Access = { who: 'session', scope: 'project', permission: 'policy:apply' };
const ofOrganization: Access = { who: 'session', scope: 'organization', permission: 'policy:read' };
const refusals = { 400: errorBody, 403: errorBody };
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
  app.get(
    '/v1/policies/schema.json',
    {
      config: { access: { who: 'public' } },
      schema: {
        tags,
        summary: 'The JSON Schema of a document of a policy file, for editors',
        response: { 200: z.record(z.string(), z.unknown()) },
      },
    },
    () => (schema ??= policySchema()),
  );
}

function fileRoutes(app: Server, context: PoliciesContext): void {
  const common = { tags, params: wire.policiesParams };
  app.post(
    `${path}/validate`,
    {
      bodyLimit: maxBodyBytes,
      config: { access: reading },
      schema: {
        ...common,
        summary: 'Check policy files',
        body: wire.validateBody,
        response: { 200: wire.validation, ...refusals, 413: errorBody },
      },
    },
    (request) => validateFiles(context, tenantOf(request).projectId, request.body.files),
  );
  app.post(
    `${path}/plan`,
    {
      bodyLimit: maxBodyBytes,
      config: { access: reading },
      schema: {
        ...common,
        summary: 'What applying policy files would change, and would have done to recorded spans',
        body: wire.planBody,
        response: { 200: wire.policyPlan, ...refusals, 413: errorBody },
      },
    },
    (request) => planFiles(context, tenantOf(request), request.body),
  );
  app.post(
    `${path}/apply`,
    {
      bodyLimit: maxBodyBytes,
      config: { access: applying },
      schema: {
        ...common,
        summary: 'Apply planned policy files',
        description: 'All in one transaction. The files are everything that code manages: what no file names is removed.',
        body: wire.applyBody,
        response: { 200: wire.applied, ...refusals, 409: errorBody, 413: errorBody },
      },
    },
    (request) => applyFiles(context, actingOf(request), request.body),
  );
}

function listRoutes(app: Server, context: PoliciesContext): void {
  app.get(
    path,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Every environment and guardrail, and who manages it',
        params: wire.policiesParams,
        response: { 200: wire.policyList, ...refusals },
      },
    },
    (request) => listPolicies(context, tenantOf(request).projectId),
  );
  app.get(
    `${path}/revisions`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'The revisions of the policies, newest first',
        params: wire.policiesParams,
        querystring: wire.listRevisionsQuery,
        response: { 200: wire.policyRevisionPage, ...refusals },
      },
    },
    (request) => listRevisions(context, tenantOf(request).projectId, request.query),
  );
  app.get(
    '/v1/organizations/:orgId/policies',
    {
      config: { access: ofOrganization },
      schema: {
        tags,
        summary: 'The policies of every project',
        params: wire.organizationPoliciesParams,
        response: { 200: wire.organizationPolicies, ...refusals },
      },
    },
    (request) => rollUpPolicies(context, organizationOf(request).id),
  );
}

function pullRoute(app: Server, context: PoliciesContext): void {
  app.get(
    `${path}/pull`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'The policies as files, of the latest revision or an earlier one',
        params: wire.policiesParams,
        querystring: wire.pullQuery,
        response: { 200: wire.pulled, ...refusals, 404: errorBody },
      },
    },
    (request) => pullFiles(context, tenantOf(request).projectId, request.query.revision),
  );
}

function policyRoute(app: Server, context: PoliciesContext): void {
  const resource = async (request: FastifyRequest) => {
    const { policyId } = request.params as { policyId: string };
    await findPolicy(context.db, tenantOf(request).projectId, policyId);
  };
  const verbs = [
    ['detach', detachPolicy, 'Give a policy that code manages to the dashboard'],
    ['attach', attachPolicy, 'Give a detached policy back to code'],
  ] as const;
  for (const [name, verb, summary] of verbs) {
    app.post(
      `${path}/:policyId/${name}`,
      {
        config: { access: applying, resource },
        schema: {
          tags,
          summary,
          params: wire.policyParams,
          response: { 200: wire.policy, ...refusals, 404: errorBody, 409: errorBody },
        },
      },
      (request) => verb(context, actingOf(request), request.params.policyId),
    );
  }
}
