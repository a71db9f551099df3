import { sql } from 'kysely';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { noDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { noRun } from './runs.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Rows deleted by one statement: a statement has 30 s, and a large dataset may take longer. */
const batch = 20_000;

/**
 * Deletes a dataset with its items and its runs, atomically.
 *
 * Errors: `not_found`; `conflict` with `scenarios` while scenarios use it.
 */
export async function deleteDataset(
  { db, clock, scenariosOfDataset }: DatasetsContext,
  acting: Acting,
  datasetId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('datasets')
      .select(['name', 'item_count'])
      .where('id', '=', datasetId)
      .where('project_id', '=', acting.projectId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw noDataset();
    const scenarios = await scenariosOfDataset(transaction, datasetId);
    if (scenarios.length > 0)
      throw new ServiceError('conflict', 'Scenarios use this dataset; give them another one, or delete them first.', {
        extra: { scenarios },
      });
    const runs = await transaction.selectFrom('dataset_runs').select('id').where('dataset_id', '=', datasetId).execute();
    for (const run of runs) await deleteRunItems(transaction, run.id);
    for (let deleted = batch; deleted === batch;) {
      const result = await sql`DELETE FROM dataset_items WHERE id IN
        (SELECT id FROM dataset_items WHERE dataset_id = ${datasetId} LIMIT ${batch})`.execute(transaction);
      deleted = Number(result.numAffectedRows ?? 0);
    }
    await transaction.deleteFrom('datasets').where('id', '=', datasetId).execute();
    const detail = { name: found.name, items: found.item_count, runs: runs.length };
    await recordAudit(transaction, clock, { ...acting, kind: 'dataset.deleted', subject: datasetId, detail });
  });
}

/**
 * Deletes a run with its items and scores. The dataset keeps its items.
 *
 * Errors: `not_found`.
 */
export async function deleteRun({ db, clock }: DatasetsContext, acting: Acting, datasetId: string, runId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Lock order of all writers: dataset, run, run items.
    const dataset = await transaction
      .selectFrom('datasets')
      .select('name')
      .where('id', '=', datasetId)
      .forKeyShare()
      .executeTakeFirst();
    const found = await transaction
      .selectFrom('dataset_runs')
      .select('name')
      .where('id', '=', runId)
      .where('dataset_id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw noRun();
    await deleteRunItems(transaction, runId);
    await transaction.deleteFrom('dataset_runs').where('id', '=', runId).execute();
    const detail = { datasetId, dataset: dataset?.name ?? '', name: found.name };
    await recordAudit(transaction, clock, { ...acting, kind: 'dataset.run_deleted', subject: runId, detail });
  });
}

async function deleteRunItems(transaction: Transaction, runId: string): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    const result = await sql`DELETE FROM dataset_run_items WHERE id IN
      (SELECT id FROM dataset_run_items WHERE run_id = ${runId} LIMIT ${batch})`.execute(transaction);
    deleted = Number(result.numAffectedRows ?? 0);
  }
}
