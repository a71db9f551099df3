import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import type { BatchRun } from '../../../contract/simulations.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { figuresOf, findBatchRun, getBatchRun } from './batch-run-record.ts';
import { endItems } from './end-items.ts';

/**
 * Cancels a run. One that waits is cancelled at once; of one that runs, what has not been sent is not sent any more (docs/semantics.md,
 * "Cancelling a batch run").
 *
 * Errors: `not_found`; `conflict` for a run that has ended.
 */
export async function cancelBatchRun(context: SimulationsContext, projectId: string, runId: string): Promise<BatchRun> {
  const { db, clock, running } = context;
  const { id } = await findBatchRun(db, projectId, runId);
  const now = new Date(clock.now());
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      status: string;
    }>`SELECT status FROM simulation_batch_runs WHERE id = ${id}::uuid FOR UPDATE`.execute(transaction);
    const status = rows[0]?.status;
    if (status !== 'queued' && status !== 'running')
      throw new ServiceError('conflict', 'The run has ended, so it cannot be cancelled.');
    const cancelling = transaction.updateTable('simulation_batch_runs').where('id', '=', id);
    if (status === 'running') {
      await cancelling.set(({ fn, val }) => ({ cancelled_at: fn.coalesce('cancelled_at', val(now)) })).execute();
      return;
    }
    await endItems(transaction, id);
    const figures = await figuresOf(transaction, id);
    await cancelling.set({ ...figures, cancelled_at: now, status: 'cancelled', finished_at: now }).execute();
  });
  running.cancel(id);
  return getBatchRun(context, projectId, id);
}
