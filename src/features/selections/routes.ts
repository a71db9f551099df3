import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { jobsParams, oneJob } from '../../contract/jobs.ts';
import type { Permission } from '../../contract/permissions.ts';
import { selectionBody } from '../../contract/selections.ts';
import type { SelectionAction } from '../../contract/selections.ts';
import { actingOf, callerOf, mayUse, requireScope, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, KeyScopes, Server } from '../../platform/http/index.ts';
import { selectRecords } from './select-records.ts';
import type { SelectionsContext } from './selections-context.ts';

const reading: Access = {
  who: 'key-or-session',
  permission: 'dashboard:read',
  keyScopes: ['read', 'datasets:write'],
  scopeByAction: true,
};

/** What each action needs; `byKey`: of the scopes of an API key, false where keys may not. */
const permissions: Readonly<Record<SelectionAction['type'], { permission: Permission; byKey: KeyScopes | false }>> = {
  delete: { permission: 'traces:delete', byKey: false },
  addTags: { permission: 'datasets:manage', byKey: ['datasets:write'] },
  removeTags: { permission: 'datasets:manage', byKey: 'none' },
  evaluate: { permission: 'evaluations:manage', byKey: 'none' },
  addToDataset: { permission: 'datasets:manage', byKey: ['datasets:write'] },
  export: { permission: 'dashboard:read', byKey: ['read'] },
};

/** The route of selections (docs/semantics/jobs.md, "Selections"). */
export function selectionRoutes(app: Server, context: SelectionsContext): void {
  route(app, 'POST', '/v1/projects/:id/selections', {
    access: reading,
    limits: 'items',
    tags: ['jobs'],
    summary: 'Do something to many traces or spans',
    description:
      'The set is fixed when the job is made. 403 forbidden also for an action that the role lacks the permission for. 409 conflict: 100 jobs wait.',
    params: jobsParams,
    body: selectionBody,
    answer: [202, oneJob],
    errors: [409],
    // Before the body is validated: who may not do it learns nothing of what is wrong with it.
    preValidation: (request, _reply, done) => {
      try {
        requirePermission(request);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    handle: async (request, reply) => {
      reply.code(202);
      const acting = { ...actingOf(request), plan: tenantOf(request).plan };
      return { job: await selectRecords(context, acting, request.body) };
    },
  });
}

/** Errors: `forbidden`. */
function requirePermission(request: FastifyRequest): void {
  const type = (request.body as { action?: { type?: unknown } } | undefined)?.action?.type;
  if (typeof type !== 'string' || !Object.hasOwn(permissions, type)) return;
  const { permission, byKey } = permissions[type as SelectionAction['type']];
  if (byKey === false && callerOf(request).kind === 'key')
    throw new ServiceError('forbidden', 'Only a user may do this; sign in, or send a valid personal access token.');
  requireScope(request, byKey || 'none');
  if (!mayUse(request, permission))
    throw new ServiceError('forbidden', `Your role lacks the permission ${permission}; ask an owner or admin.`);
}
