import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import type { BatchRun } from '../../../contract/simulations.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { figuresOf, findBatchRun, getBatchRun } from './batch-run-record.ts';
import { endItems, endItemsInSlices } from './end-items.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** How long a run that is being cancelled is not taken. Should this process end meanwhile, a worker then takes it and cancels it. */
const postponedMs = 10 * 60_000;

/**
 * Cancels a run. One that waits is cancelled at once; of one that runs, what has not been sent is not sent any more (docs/semantics.md,
 * "Cancelling a batch run").
 *
 * Errors: `not_found`; `conflict` for a run that has ended.
 */
export async function cancelBatchRun(context: SimulationsContext, projectId: string, runId: string): Promise<BatchRun> {
  const { db, clock, running } = context;
  const { id } = await findBatchRun(db, projectId, runId);
  if (await asked(context, id)) {
    await endItemsInSlices(db, id, sql`status = 'queued'`);
    await db.transaction().execute(async (transaction) => {
      if ((await lockedStatus(transaction, id)) !== 'queued') return;
      await endItems(transaction, id);
      const figures = await figuresOf(transaction, id);
      await transaction
        .updateTable('simulation_batch_runs')
        .set({ ...figures, status: 'cancelled', finished_at: new Date(clock.now()) })
        .where('id', '=', id)
        .execute();
    });
  }
  running.cancel(id);
  return getBatchRun(context, projectId, id);
}

/** Notes that a run is to be cancelled. @returns whether it waits; it is not taken meanwhile */
function asked({ db, clock }: SimulationsContext, id: string): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (transaction) => {
    const status = await lockedStatus(transaction, id);
    if (status !== 'queued' && status !== 'running')
      throw new ServiceError('conflict', 'The run has ended, so it cannot be cancelled.');
    const waits = status === 'queued';
    await transaction
      .updateTable('simulation_batch_runs')
      .set(({ fn, val }) => ({
        cancelled_at: fn.coalesce('cancelled_at', val(new Date(now))),
        ...(waits ? { run_at: new Date(now + postponedMs) } : {}),
      }))
      .where('id', '=', id)
      .execute();
    return waits;
  });
}

async function lockedStatus(transaction: Transaction, id: string): Promise<string | undefined> {
  const { rows } = await sql<{
    status: string;
  }>`SELECT status FROM simulation_batch_runs WHERE id = ${id}::uuid FOR UPDATE`.execute(transaction);
  return rows[0]?.status;
}
