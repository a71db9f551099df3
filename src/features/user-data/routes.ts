import { oneJob } from '../../contract/jobs.ts';
import { userParams } from '../../contract/users.ts';
import { actingOf, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { deleteUser, requireUser } from './delete-user.ts';
import type { UserDataContext } from './user-data-context.ts';

/** The route of deletions (docs/semantics.md, "Deletion of user data"). */
export function userDataRoutes(app: Server, context: UserDataContext): void {
  route(app, 'DELETE', '/v1/projects/:id/users/:userId', {
    access: { who: 'session', scope: 'project', permission: 'traces:delete' },
    resourceIfInvalid: (request) => requireUser(context, tenantOf(request), (request.params as { userId: string }).userId),
    tags: ['traces'],
    summary: "Delete a user's data",
    description:
      'A job deletes every trace of the user and what was made from them; its result has a receipt. 409 conflict: 100 jobs wait.',
    params: userParams,
    answer: [202, oneJob],
    errors: [409],
    handle: async (request, reply) => {
      reply.code(202);
      const acting = { ...actingOf(request), plan: tenantOf(request).plan };
      return { job: await deleteUser(context, acting, request.params.userId) };
    },
  });
}
