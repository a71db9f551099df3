import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { noDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { noRun } from './runs.ts';
import type { DatasetsTables } from './tables.ts';

/** Rows deleted by one statement: a statement has 30 s, and a large dataset may take longer. */
const batch = 20_000;

/**
 * Deletes a dataset with its items and its runs, atomically.
 *
 * Errors: `not_found`; `conflict` with `scenarios` while scenarios use it.
 */
export async function deleteDataset(
  { db, scenariosOfDataset }: DatasetsContext,
  projectId: string,
  datasetId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('datasets')
      .select('id')
      .where('id', '=', datasetId)
      .where('project_id', '=', projectId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw noDataset();
    const scenarios = await scenariosOfDataset(transaction as unknown as Database, datasetId);
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
  });
}

/**
 * Deletes a run with its items and scores. The dataset keeps its items.
 *
 * Errors: `not_found`.
 */
export async function deleteRun({ db }: DatasetsContext, datasetId: string, runId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Lock order of all writers: dataset, run, run items.
    await transaction.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute();
    const found = await transaction
      .selectFrom('dataset_runs')
      .select('id')
      .where('id', '=', runId)
      .where('dataset_id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw noRun();
    await deleteRunItems(transaction, runId);
    await transaction.deleteFrom('dataset_runs').where('id', '=', runId).execute();
  });
}

async function deleteRunItems(transaction: Transaction<DatasetsTables>, runId: string): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    const result = await sql`DELETE FROM dataset_run_items WHERE id IN
      (SELECT id FROM dataset_run_items WHERE run_id = ${runId} LIMIT ${batch})`.execute(transaction);
    deleted = Number(result.numAffectedRows ?? 0);
  }
}
