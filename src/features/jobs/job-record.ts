import { sql } from 'kysely';
import type { Actor } from '../../contract/actor.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/jobs.ts';
import type { Job, JobError, JobResult, JobStatus } from '../../contract/jobs.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { RunningJob } from './job-type.ts';
import type { JobRow } from './tables.ts';

/** SQL of the status that is shown: a job is over when it is marked so, also while the process that runs it has not seen it yet. */
export const shownStatus = sql<JobStatus>`CASE WHEN status NOT IN ('queued', 'running') THEN status
  WHEN completed_at IS NOT NULL THEN 'completed' WHEN cancelled_at IS NOT NULL THEN 'cancelled' ELSE status END`;

/** A job of the project. Errors: `not_found`. */
export async function findJob(db: Database, projectId: string, jobId: string): Promise<JobRow> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', uuidOrNull(jobId))
    .where('project_id', '=', projectId)
    .where('status', '<>', 'preparing')
    .executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', 'There is no such job in this project; list the jobs to see which there are.');
}

/** One job. Errors: `not_found`. */
export async function getJob(db: Database, projectId: string, jobId: string): Promise<Job> {
  return recordOf(await findJob(db, projectId, jobId));
}

/** A job as the API returns it. */
export function recordOf(row: JobRow): Job {
  const status = statusOf(row);
  const errors = JSON.parse(row.errors) as JobError[];
  const asWhole = status === 'failed' && row.error !== null ? [{ id: row.id, error: row.error }] : [];
  return {
    id: row.id,
    type: row.type,
    status,
    matched: row.matched,
    done: row.done,
    // What a failed job did not come to has failed with it.
    failed: status === 'failed' ? row.matched - row.done : row.failed,
    errors: [...asWhole, ...errors].slice(0, jobLimits.errors),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    completedAt: endOf(row)?.toISOString() ?? null,
    result: row.result === null || status !== 'completed' ? null : (JSON.parse(row.result) as JobResult),
  };
}

/** As {@link shownStatus}. */
function statusOf({ status, completed_at: completedAt, cancelled_at: cancelledAt }: JobRow): JobStatus {
  if (status === 'preparing') return 'queued';
  if (status !== 'queued' && status !== 'running') return status;
  if (completedAt !== null) return 'completed';
  return cancelledAt === null ? status : 'cancelled';
}

function endOf(row: JobRow): Date | null {
  return row.completed_at ?? row.cancelled_at ?? row.finished_at;
}

/** A job as its type sees it. */
export function runningJob(row: JobRow): RunningJob<never, never> {
  return {
    id: row.id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    actor: JSON.parse(row.actor) as Actor,
    createdAtMs: row.created_at.getTime(),
    input: JSON.parse(row.input) as never,
    matched: row.matched,
    state: row.state === null ? null : (JSON.parse(row.state) as never),
  };
}
