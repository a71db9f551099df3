import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import { oldestComment } from './comments-context.ts';
import type { CommentsContext } from './comments-context.ts';
import { deleteComments } from './delete-comment.ts';
import { remainingTraces } from './find-target.ts';

/** Comments of one step. */
const chunkSize = 500;

/**
 * Deletes the comments that are older than their plan's retention, and those on traces of which nothing is retained any more. Repeatable. A job.
 *
 * @param signal stops it between two steps
 */
export async function deleteExpiredComments(
  context: CommentsContext,
  projects: ReadonlyArray<{ projectId: string; plan: Plan }>,
  signal?: AbortSignal,
): Promise<void> {
  for (const tenant of projects) {
    const oldest = oldestComment(context, tenant);
    for (;;) {
      if (signal?.aborted) return;
      const due = await context.db
        .selectFrom('comments')
        .select(['id', 'trace_id', 'created_at'])
        .where('project_id', '=', tenant.projectId)
        .where(sql`least(created_at, trace_time)`, '<', oldest)
        .orderBy(sql`least(created_at, trace_time)`)
        .limit(chunkSize)
        .execute();
      if (due.length === 0) break;
      const remaining = await remainingTraces(context, tenant, [...new Set(due.map((comment) => comment.trace_id))]);
      const stays = ({ created_at: createdAt, trace_id: traceId }: (typeof due)[number]) =>
        createdAt >= oldest && remaining.has(traceId);
      const gone = due.filter((comment) => !stays(comment)).map(({ id }) => id);
      if (gone.length > 0) await deleteComments(context, (comments) => comments.where('id', 'in', gone));
      await renew(context, due.filter(stays), remaining);
    }
  }
}

/** Records that newer records of traces have arrived since their comments were written. */
async function renew(
  { db }: Pick<CommentsContext, 'db'>,
  comments: ReadonlyArray<{ id: string; trace_id: string }>,
  newest: ReadonlyMap<string, number>,
): Promise<void> {
  if (comments.length === 0) return;
  const times = comments.map(({ trace_id: traceId }) => new Date(newest.get(traceId) ?? 0).toISOString());
  await sql`UPDATE comments SET trace_time = renewed.trace_time
    FROM unnest(${comments.map(({ id }) => id)}::uuid[], ${times}::timestamptz[]) AS renewed (id, trace_time)
    WHERE comments.id = renewed.id`.execute(db);
}
