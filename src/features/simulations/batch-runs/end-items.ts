import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import type { SimulationsDb } from '../tables.ts';
import { figuresOf } from './batch-run-record.ts';

/** Cancels the items of a run that have not ended, and deletes the copies of the dataset's contents. */
export async function endItems(db: QueryExecutorProvider, runId: string): Promise<void> {
  await sql`UPDATE simulation_items SET status = 'cancelled'
    WHERE batch_run_id = ${runId}::uuid AND status = 'pending'`.execute(db);
  await sql`DELETE FROM simulation_inputs WHERE batch_run_id = ${runId}::uuid`.execute(db);
}

/** Runs that are ended at a time. */
const maxRuns = 100;

/**
 * Ends the items of runs that the queue gave up, because their process died again and again, and stores their figures. @returns how many runs had any
 */
export async function endItemsOfFailedRuns(db: SimulationsDb): Promise<number> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM simulation_batch_runs AS run
    WHERE status IN ('completed', 'failed', 'cancelled')
      AND EXISTS (SELECT 1 FROM simulation_inputs WHERE batch_run_id = run.id) LIMIT ${maxRuns}`.execute(db);
  for (const { id } of rows) {
    await db.transaction().execute(async (transaction) => {
      await endItems(transaction, id);
      const figures = await figuresOf(transaction, id);
      await transaction.updateTable('simulation_batch_runs').set(figures).where('id', '=', id).execute();
    });
  }
  return rows.length;
}
