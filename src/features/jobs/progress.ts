import { sql } from 'kysely';
import { jobLimits } from '../../contract/jobs.ts';
import type { JobError, JobResult } from '../../contract/jobs.ts';
import { LeaseLost } from '../../platform/jobs/leased-queue/index.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import type { StepOutcome } from './job-type.ts';
import type { JobRow } from './tables.ts';

/** A claim of a job. */
export interface HeldJob {
  id: string;
  leaseId: string;
}

/** A page of a job's set. */
export interface JobPage {
  items: readonly string[];
  noted: ReadonlySet<string>;
}

/** The stored job. Errors: {@link LeaseLost}. */
export async function heldRow(db: Database, { id, leaseId }: HeldJob): Promise<JobRow> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (!row) throw new LeaseLost();
  return row;
}

/** One page of the set. */
export async function readPage(db: Database, id: string, page: number): Promise<JobPage> {
  const row = await db
    .selectFrom('job_pages')
    .select(['items', 'noted'])
    .where('job_id', '=', id)
    .where('page', '=', page)
    .executeTakeFirstOrThrow();
  return { items: row.items, noted: new Set(row.noted) };
}

/** Notes items of a page as done before the page is recorded. Errors: {@link LeaseLost}. */
export async function noteItems(
  transaction: Transaction,
  { id, leaseId }: HeldJob,
  page: number,
  items: readonly string[],
): Promise<void> {
  const { rows } = await sql`UPDATE job_pages AS page SET noted = page.noted || ${[...items]}::text[]
    FROM jobs AS job WHERE page.job_id = ${id}::uuid AND page.page = ${page}
      AND job.id = page.job_id AND job.lease_id = ${leaseId}::uuid AND job.status = 'running' RETURNING page.page`.execute(
    transaction,
  );
  if (rows.length === 0) throw new LeaseLost();
}

/**
 * Records a page, once: the statement names the page that is next. The attempts are counted from here on. Errors: {@link LeaseLost}, also for a page that is
 * recorded already.
 */
export async function recordPage(
  db: Database,
  { id, leaseId }: HeldJob,
  page: number,
  items: number,
  { failed, state, restart = false }: StepOutcome<unknown>,
): Promise<void> {
  const row = await db
    .selectFrom('jobs')
    .select('errors')
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .where('status', '=', 'running')
    .where('next_page', '=', page)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new LeaseLost();
  const before = restart ? [] : (JSON.parse(row.errors) as JobError[]);
  const errors = [...before, ...(restart ? [] : failed)].slice(0, jobLimits.errors);
  await db
    .updateTable('jobs')
    .set(({ eb }) => ({
      attempts: 1,
      errors: JSON.stringify(errors),
      ...(state === undefined ? {} : { state: JSON.stringify(state) }),
      ...(restart
        ? { next_page: 0, done: 0, failed: 0 }
        : {
            next_page: page + 1,
            done: eb('done', '+', items - failed.length),
            failed: eb('failed', '+', failed.length),
          }),
    }))
    .where('id', '=', id)
    .execute();
}

/** Marks a job as completed, unless it was cancelled. @returns whether it is. Errors: {@link LeaseLost} */
export async function completeJob(
  db: Database,
  { id, leaseId }: HeldJob,
  result: JobResult | null,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ completed_at: new Date(nowMs), result: result === null ? null : JSON.stringify(result) })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .where('status', '=', 'running')
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  await heldRow(db, { id, leaseId });
  return false;
}

/** Deletes the set of a job that is over. */
export async function deletePages(db: Database, id: string): Promise<void> {
  await db.deleteFrom('job_pages').where('job_id', '=', id).execute();
}
