import type { Job, JobsQuery } from '../../contract/jobs.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { recordOf, shownStatus } from './job-record.ts';

const newestFirst = byCreation('desc');

/** The jobs of a project, newest first. */
export async function listJobs(
  db: Database,
  projectId: string,
  { status, ...page }: JobsQuery,
): Promise<{ jobs: Job[]; nextCursor: string | null }> {
  let select = db.selectFrom('jobs').selectAll().where('project_id', '=', projectId).where('status', '<>', 'preparing');
  if (status !== undefined) select = select.where(shownStatus, '=', status);
  const { rows, nextCursor } = await newestFirst.read(select, page);
  return { jobs: rows.map(recordOf), nextCursor };
}
