import { sql } from 'kysely';
import { isUnavailable } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/jobs.ts';
import { reachFailpoint } from '../../platform/failpoint/failpoint.ts';
import { LeaseLost } from '../../platform/jobs/leased-queue/index.ts';
import type { JobRunOutcome, LeasedJobRow } from './job-queue.ts';
import { runningJob } from './job-record.ts';
import { JobFailed } from './job-type.ts';
import type { AnyJobType, JobStep } from './job-type.ts';
import type { JobsContext } from './jobs-context.ts';
import { completeJob, deletePages, heldRow, noteItems, readPage, recordPage } from './progress.ts';
import type { JobRow } from './tables.ts';

/** The wait of a job beyond those that a project may have under way. */
const fullProjectMs = 1_000;
/** The wait while a store of the service does not answer. */
const unavailableMs = 5_000;

const later: JobRunOutcome = { kind: 'retry', error: null, afterMs: 0, counts: false };

/**
 * Runs a job from its first page that is not recorded (docs/semantics/jobs.md, "Durable jobs"). May be interrupted at any point and repeated.
 *
 * @param stop aborts when another process has the job, or this one closes
 * @returns null when the job is another process's
 */
export async function runJob(context: JobsContext, job: LeasedJobRow, stop: AbortSignal): Promise<JobRunOutcome | null> {
  try {
    return await run(context, job, stop);
  } catch (error) {
    if (error instanceof LeaseLost) return null;
    if (error instanceof JobFailed) return await fail(context, job, error.message);
    if (isUnavailable(error)) return { kind: 'retry', error: null, afterMs: unavailableMs, counts: false };
    if (job.attempts < context.queue.maxAttempts) throw error;
    await abandon(context, await heldRow(context.db, job)).catch(() => undefined);
    throw error;
  }
}

async function run(context: JobsContext, job: LeasedJobRow, stop: AbortSignal): Promise<JobRunOutcome> {
  const { db, clock } = context;
  let row = await heldRow(db, job);
  if (row.completed_at === null && row.cancelled_at === null && (await isProjectFull(context, job)))
    return { kind: 'retry', error: null, afterMs: fullProjectMs, counts: false };
  const type = context.types.get(row.type);
  if (!type) throw new JobFailed('This release of the service does not know jobs of this type.');
  while (row.completed_at === null) {
    if (row.cancelled_at !== null) return await cancelled(context, row);
    if (stop.aborted) return later;
    if (row.next_page >= row.pages) {
      const result = (await type.finish?.(runningJob(row))) ?? null;
      reachFailpoint('job-finished');
      await completeJob(db, job, result, clock.now());
      reachFailpoint('job-completed');
    } else await runPage(context, type, row, job, stop);
    row = await heldRow(db, job);
  }
  await deletePages(db, row.id);
  return { kind: 'ended', status: 'completed' };
}

async function runPage(
  context: JobsContext,
  type: AnyJobType,
  row: JobRow,
  job: LeasedJobRow,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context;
  const page = row.next_page;
  const { items, noted } = await readPage(db, row.id, page);
  reachFailpoint('job-page-read');
  let recorded = false;
  const step: JobStep<never, never> = {
    job: runningJob(row),
    page,
    isLast: page === row.pages - 1,
    items,
    noted,
    signal,
    note: (transaction, done) => noteItems(transaction, job, page, done),
    record: async (transaction, outcome) => {
      await recordPage(transaction, job, page, items.length, outcome);
      recorded = true;
    },
  };
  const outcome = await type.run(step);
  reachFailpoint('job-page-done');
  if (!recorded) await db.transaction().execute((transaction) => recordPage(transaction, job, page, items.length, outcome));
  job.attempts = 1;
  reachFailpoint('job-page-recorded');
}

async function cancelled(context: JobsContext, row: JobRow): Promise<JobRunOutcome> {
  await abandon(context, row);
  return { kind: 'ended', status: 'cancelled' };
}

async function fail(context: JobsContext, job: LeasedJobRow, error: string): Promise<JobRunOutcome | null> {
  try {
    await abandon(context, await heldRow(context.db, job));
  } catch (failure) {
    if (failure instanceof LeaseLost) return null;
    if (isUnavailable(failure)) return { kind: 'retry', error: null, afterMs: unavailableMs, counts: false };
    throw failure;
  }
  return { kind: 'ended', status: 'failed', error };
}

/** Removes what a job that will not be completed has left. */
export async function abandon({ db, types }: Pick<JobsContext, 'db' | 'types'>, row: JobRow): Promise<void> {
  await types.get(row.type)?.abandon?.(runningJob(row));
  await deletePages(db, row.id);
}

/** Processes do not count each other's jobs when they claim: those beyond the limit wait. */
async function isProjectFull({ db }: JobsContext, { id, projectId }: LeasedJobRow): Promise<boolean> {
  const { rows } = await sql<{ before: number }>`SELECT count(*)::int AS before FROM jobs
    WHERE project_id = ${projectId}::uuid AND status = 'running'
      AND (started_at, id) < (SELECT started_at, id FROM jobs WHERE id = ${id}::uuid)`.execute(db);
  return (rows[0]?.before ?? 0) >= jobLimits.running;
}
