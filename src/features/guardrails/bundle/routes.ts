import { errorBody } from '../../../contract/common.ts';
import { policyBundle, policyBundleQuery } from '../../../contract/guardrails.ts';
import { jsonType, namesEtag, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { z } from 'zod';
import type { PolicyCache } from '../check/policy-cache.ts';
import type { BundleAnswers } from './bundle-answers.ts';

/** Dependencies of the policy bundle. */
export interface BundleContext {
  policies: Pick<PolicyCache, 'peek' | 'get'>;
  bundles: BundleAnswers;
}

/** The policy bundle (docs/semantics.md, "Policy bundle"). */
export function bundleRoutes(app: Server, { policies, bundles }: BundleContext): void {
  app.get(
    '/v1/policy-bundle',
    {
      config: { access: { who: 'key-or-session', permission: 'dashboard:read' } },
      schema: {
        tags: ['governance'],
        summary: 'The enabled guardrails of a project, for checks in the application',
        description: 'Those that a check with this environment runs, in its order, for both stages. With an ETag.',
        querystring: policyBundleQuery,
        response: { 200: policyBundle, 304: z.null(), 400: errorBody, 401: errorBody, 403: errorBody },
      },
    },
    async (request, reply) => {
      const { projectId } = tenantOf(request);
      const { body, etag } = bundles.of(policies.peek(projectId) ?? (await policies.get(projectId)), request.query.environment);
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
      reply.header('content-type', jsonType);
      return body as never;
    },
  );
}
