import { createHash } from 'node:crypto';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/jobs.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { UserDataContext } from './user-data-context.ts';

/**
 * Makes the job that deletes every trace of a user, and what was made from them (docs/semantics.md, "Deletion of user data").
 *
 * Errors: `not_found` when no trace is the user's; `conflict` while too many jobs wait.
 */
export async function deleteUser(
  { traces, deletions }: UserDataContext,
  acting: Acting & Pick<Tenant, 'plan'>,
  userId: string,
): Promise<Job> {
  const parts = traces.idsOfUser(acting, userId);
  const first = await parts.next();
  if (first.done) throw noUser();
  const userIdSha256 = createHash('sha256').update(userId).digest('hex');
  return deletions.create(
    acting,
    { userIdSha256, plan: acting.plan },
    withFirst(first.value, parts),
    async (transaction, { id }) => {
      await transaction
        .insertInto('user_deletions')
        .values({ job_id: id, traces: 0, spans: 0, scores: 0, outcomes: 0, newest_ms: null, receipt: null })
        .execute();
    },
  );
}

/** Errors: `not_found` when no trace is the user's. */
export async function requireUser(
  { traces }: Pick<UserDataContext, 'traces'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  userId: string,
): Promise<void> {
  const { done } = await traces.idsOfUser(tenant, userId).next();
  if (done) throw noUser();
}

async function* withFirst(first: string[], rest: AsyncGenerator<string[]>): AsyncGenerator<string[]> {
  yield first;
  yield* rest;
}

function noUser(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no trace of such a user in this project; check the id, or list the users that there are.',
  );
}
