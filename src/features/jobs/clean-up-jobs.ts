import { dayMs } from '../../contract/durations.ts';
import { sql } from 'kysely';
import type { JobsContext } from './jobs-context.ts';
import { abandon } from './run-job.ts';

/** How long the records of jobs that are over are kept, in milliseconds. */
const keptMs = 90 * dayMs;
const maxJobs = 100;

/** Removes what interrupted jobs left behind, jobs whose set was never stored completely, and old records. */
export async function cleanUpJobs(context: Pick<JobsContext, 'db' | 'clock' | 'types'>): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  // Those that failed because their process died at each attempt have run no code at their end.
  const failed = await db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', 'failed')
    .where(({ exists, selectFrom }) => exists(selectFrom('job_pages').select('page').whereRef('job_id', '=', 'jobs.id')))
    .limit(maxJobs)
    .execute();
  for (const row of failed) await abandon(context, row);
  await db.deleteFrom('jobs').where('status', '=', 'preparing').where('lease_until', '<', new Date(now)).execute();
  await db
    .deleteFrom('jobs')
    .where(sql<boolean>`status IN ('completed', 'failed', 'cancelled')`)
    .where('finished_at', '<', new Date(now - keptMs))
    .execute();
}
