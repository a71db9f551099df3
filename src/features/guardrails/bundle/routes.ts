import { z } from 'zod';
import { policyBundle, policyBundleQuery } from '../../../contract/guardrails.ts';
import { jsonType, namesEtag, route, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import type { PolicyCache } from '../policies/policy-cache.ts';
import type { BundleAnswers } from './bundle-answers.ts';

/** Dependencies of the policy bundle. */
export interface BundleContext {
  policies: Pick<PolicyCache, 'peek' | 'get'>;
  bundles: BundleAnswers;
}

/** The policy bundle (docs/semantics.md, "Policy bundle"). */
export function bundleRoutes(app: Server, { policies, bundles }: BundleContext): void {
  route(app, 'GET', '/v1/policy-bundle', {
    access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['guardrails:check'] },
    tags: ['governance'],
    summary: 'The enabled guardrails of a project, for checks in the application',
    description: 'Those that a check with this environment runs, in its order, for both stages. With an ETag.',
    query: policyBundleQuery,
    answer: policyBundle,
    also: { 304: z.null() },
    handle: async (request, reply) => {
      const { projectId } = tenantOf(request);
      const { body, etag } = bundles.of(policies.peek(projectId) ?? (await policies.get(projectId)), request.query.environment);
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
      reply.header('content-type', jsonType);
      return body as never;
    },
  });
}
