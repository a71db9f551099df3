import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import * as wire from '../../contract/policies.ts';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { policySchema } from './documents/policy-schema.ts';
import { maxBodyBytes, takeJsonBodies } from './json-body.ts';
import type { PoliciesContext } from './policies-context.ts';
import { validateFiles } from './validate-files.ts';

const tags = ['governance'];
const reading: Access = { who: 'session', scope: 'project', permission: 'policy:read' };
const refusals = { 400: errorBody, 403: errorBody };
const path = '/v1/projects/:id/policies';

/** Policy-as-code (docs/semantics.md, "Policies"). */
export async function policyRoutes(app: Server, context: PoliciesContext): Promise<void> {
  schemaRoute(app);
  await app.register((scope: Server, _options, done) => {
    takeJsonBodies(scope);
    fileRoutes(scope, context);
    done();
  });
}

function schemaRoute(app: Server): void {
  const schema = policySchema();
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
    () => schema,
  );
}

function fileRoutes(app: Server, context: PoliciesContext): void {
  app.post(
    `${path}/validate`,
    {
      bodyLimit: maxBodyBytes,
      config: { access: reading },
      schema: {
        tags,
        summary: 'Check policy files',
        params: wire.policiesParams,
        body: wire.validateBody,
        response: { 200: wire.validation, ...refusals, 413: errorBody },
      },
    },
    (request) => validateFiles(context, tenantOf(request).projectId, request.body.files),
  );
}
