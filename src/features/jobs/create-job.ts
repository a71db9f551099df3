import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/jobs.ts';
import type { Job } from '../../contract/jobs.ts';
import { reachFailpoint } from '../../platform/failpoint/failpoint.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import { jobPool } from './job-queue.ts';
import { getJob } from './job-record.ts';
import type { JobsContext } from './jobs-context.ts';

/** The ids that a job works on, in parts of any size, none twice. */
export type JobSet = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** Called in the transaction that makes the job, for what must be true of every job that is made: an audit entry. */
export type OnJobMade = (transaction: Transaction, made: { id: string; matched: number }) => Promise<void>;

export interface NewJobOf {
  type: string;
  pageSize: number;
  input: unknown;
}

/** How long the set of a job may take to be stored, in milliseconds; after that the job is given up. */
export const preparingMs = 10 * 60_000;

/**
 * Makes a job. Its set is stored first, in slices, between which the database serves others; the job is shown and due when all of it is there.
 *
 * Errors: `conflict` while the project has too many queued jobs; `invalid_request` for a set that is too large; what the set throws.
 */
export async function createJob(
  context: Pick<JobsContext, 'db' | 'clock' | 'wake'>,
  acting: Acting,
  made: NewJobOf,
  set: JobSet,
  onMade?: OnJobMade,
): Promise<Job> {
  const { db, clock, wake } = context;
  const { projectId } = acting;
  const id = await begin(context, acting, made);
  try {
    const stored = await storeSet(db, id, made.pageSize, set);
    await db.transaction().execute(async (transaction) => {
      await refuseTooMany(transaction, projectId, id);
      const now = new Date(clock.now());
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ ...stored, status: 'queued', run_at: now, created_at: now, lease_until: null })
        .where('id', '=', id)
        .where('status', '=', 'preparing')
        .executeTakeFirst();
      if (numUpdatedRows === 0n)
        throw new ServiceError('unavailable', 'The set of the job took too long to be stored; try again.', {
          retryAfterSeconds: 5,
        });
      await onMade?.(transaction, { id, matched: stored.matched });
    });
  } catch (error) {
    // Where this fails too, a periodic job does it later.
    await db
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('status', '=', 'preparing')
      .execute()
      .catch(() => undefined);
    throw error;
  }
  reachFailpoint('job-made');
  wake();
  return getJob(db, projectId, id);
}

function begin({ db, clock }: Pick<JobsContext, 'db' | 'clock'>, acting: Acting, { type, input }: NewJobOf): Promise<string> {
  const { organizationId, projectId, actor } = acting;
  const id = uuidv7();
  const now = clock.now();
  return db.transaction().execute(async (transaction) => {
    await refuseTooMany(transaction, projectId, id);
    await transaction
      .insertInto('jobs')
      .values({
        id,
        project_id: projectId,
        organization_id: organizationId,
        type,
        input: JSON.stringify(input),
        actor: JSON.stringify(actor),
        created_by: actorName(actor),
        matched: 0,
        pages: 0,
        next_page: 0,
        done: 0,
        failed: 0,
        errors: '[]',
        lane: jobPool,
        status: 'preparing',
        attempts: 0,
        run_at: new Date(now),
        lease_until: new Date(now + preparingMs),
        created_at: new Date(now),
      } as never)
      .execute();
    return id;
  });
}

/** Those that are being prepared count: many requests at once must not exceed the limit. */
async function refuseTooMany(transaction: Transaction, projectId: string, id: string): Promise<void> {
  // Serializes the checks of one project.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`jobs ${projectId}`}, 0))`.execute(transaction);
  const { waiting } = await transaction
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('project_id', '=', projectId)
    .where('status', 'in', ['preparing', 'queued'])
    .where('cancelled_at', 'is', null)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  if (Number(waiting) < jobLimits.queued) return;
  throw new ServiceError(
    'conflict',
    `The project has ${jobLimits.queued} jobs in the queue; wait until one has started, or cancel one.`,
  );
}

/** Stores the pages of a set. Errors: `invalid_request` for too many ids. */
async function storeSet(db: Database, id: string, pageSize: number, set: JobSet): Promise<{ matched: number; pages: number }> {
  let matched = 0;
  let pages = 0;
  let rest: string[] = [];
  const store = async (items: string[]) => {
    await db.insertInto('job_pages').values({ job_id: id, page: pages, items, noted: [] }).execute();
    pages += 1;
  };
  for await (const part of set) {
    matched += part.length;
    if (matched > jobLimits.matched) throw tooMany();
    rest.push(...part);
    while (rest.length >= pageSize) {
      await store(rest.slice(0, pageSize));
      rest = rest.slice(pageSize);
    }
  }
  if (rest.length > 0) await store(rest);
  return { matched, pages };
}

function tooMany(): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The selection has more than ${jobLimits.matched.toLocaleString('en-US')} records; narrow its filter or its range.`,
  );
}
