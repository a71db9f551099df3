import { sql } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/jobs.ts';
import { getJob } from './job-record.ts';
import type { JobsContext } from './jobs-context.ts';

/**
 * Cancels a job: it is over at once, and what it had done stays. The process that runs it ends the page that it is at (docs/semantics/jobs.md, "Cancelling a job").
 *
 * Errors: `not_found`; `conflict` for a job that is over.
 */
export async function cancelJob({ db, clock, wake }: JobsContext, projectId: string, jobId: string): Promise<Job> {
  const { id } = await getJob(db, projectId, jobId);
  const now = new Date(clock.now());
  // A job that waits for a next attempt is due now, so that a worker cleans up.
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ cancelled_at: now, run_at: sql<Date>`least(run_at, ${now.toISOString()}::timestamptz)` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .where('cancelled_at', 'is', null)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ServiceError('conflict', 'The job is over, so it cannot be cancelled.');
  wake();
  return getJob(db, projectId, id);
}
