import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { figuresOf } from './batch-run-record.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** Cancels the items of a run that have not ended, and deletes the copies of the dataset's contents. */
export async function endItems(db: Database, runId: string): Promise<void> {
  await sql`UPDATE simulation_items SET status = 'cancelled'
    WHERE batch_run_id = ${runId}::uuid AND status = 'pending'`.execute(db);
  await sql`DELETE FROM simulation_inputs WHERE batch_run_id = ${runId}::uuid`.execute(db);
}

/** Items changed by one statement: others wait while it runs. */
export const changedAtOnce = 2_000;

/**
 * As {@link endItems} for a run of any size, in slices between which the database serves others. Call {@link endItems} in the transaction that ends the run
 * all the same: it finds little more to do.
 *
 * @param mayEnd SQL of a condition of the run, without which nothing is changed
 */
export async function endItemsInSlices(db: Database, runId: string, mayEnd: RawBuilder<unknown>): Promise<void> {
  const isRun = sql`EXISTS (SELECT 1 FROM simulation_batch_runs WHERE id = ${runId}::uuid AND ${mayEnd})`;
  const slices = [
    sql`UPDATE simulation_items AS item SET status = 'cancelled' FROM (
        SELECT place, repetition FROM simulation_items WHERE batch_run_id = ${runId}::uuid AND status = 'pending'
        ORDER BY place, repetition LIMIT ${changedAtOnce}
      ) AS slice
      WHERE item.batch_run_id = ${runId}::uuid AND item.place = slice.place AND item.repetition = slice.repetition AND ${isRun}`,
    sql`DELETE FROM simulation_inputs WHERE batch_run_id = ${runId}::uuid AND place IN (
        SELECT place FROM simulation_inputs WHERE batch_run_id = ${runId}::uuid ORDER BY place LIMIT ${changedAtOnce}
      ) AND ${isRun}`,
  ];
  for (const slice of slices) {
    for (let changed = changedAtOnce; changed === changedAtOnce;)
      changed = Number((await slice.execute(db)).numAffectedRows ?? 0);
  }
}

/** Runs that are ended at a time. */
const maxRuns = 100;

/**
 * Ends the items of runs that the queue gave up, because their process died again and again, and stores their figures. @returns how many runs had any
 */
export async function endItemsOfFailedRuns(db: Database): Promise<number> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM simulation_batch_runs AS run
    WHERE status IN ('completed', 'failed', 'cancelled')
      AND EXISTS (SELECT 1 FROM simulation_inputs WHERE batch_run_id = run.id) LIMIT ${maxRuns}`.execute(db);
  for (const { id } of rows) {
    await endItemsInSlices(db, id, sql`status IN ('completed', 'failed', 'cancelled')`);
    await db.transaction().execute(async (transaction) => {
      await endItems(transaction, id);
      const figures = await figuresOf(transaction, id);
      await transaction.updateTable('simulation_batch_runs').set(figures).where('id', '=', id).execute();
    });
  }
  return rows.length;
}
