import type { JobResult } from '../../contract/jobs.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { ExportFiles } from './export-file.ts';
import { exportKeptMs } from './export-records.ts';

/** Removes the files of exports that have expired, and those whose job is no more, or is over without a result. */
export async function removeExports(files: ExportFiles, db: Database, clock: Clock): Promise<void> {
  const jobIds = await files.jobs();
  if (jobIds.length === 0) return;
  const kept = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', jobIds)
    .where(({ or, eb }) =>
      or([eb('status', 'in', ['queued', 'running']), eb('completed_at', '>', new Date(clock.now() - exportKeptMs))]),
    )
    .execute();
  const stay = new Set(kept.map(({ id }) => id));
  for (const id of jobIds) if (!stay.has(id)) await files.remove(id);
}

/**
 * Removes every export of a project, since any may hold what is deleted: finished files, and what unfinished ones have written, which are cancelled. For the
 * deletion of a user.
 */
export async function forgetExports(files: ExportFiles, db: Database, clock: Clock, projectId: string): Promise<void> {
  const now = new Date(clock.now());
  const ofProject = db.selectFrom('jobs').where('project_id', '=', projectId).where('type', '=', 'export');
  await db
    .updateTable('jobs')
    .set({ cancelled_at: now })
    .where('project_id', '=', projectId)
    .where('type', '=', 'export')
    .where('status', 'in', ['queued', 'running'])
    .where('completed_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute();
  const completed = await ofProject.select(['id', 'result']).where('completed_at', 'is not', null).execute();
  for (const { id, result } of completed) {
    if (result === null) continue;
    const expired: JobResult = { ...(JSON.parse(result) as JobResult), expiresAt: now.toISOString() };
    await db
      .updateTable('jobs')
      .set({ result: JSON.stringify(expired) })
      .where('id', '=', id)
      .execute();
    await files.remove(id);
  }
}
