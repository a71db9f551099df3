import { sql } from 'kysely';
import type { DatasetsContext } from './datasets-context.ts';

/** Runs whose items are looked through by one statement. */
const runsAtOnce = 20;

/**
 * Deletes the dataset items whose source is one of the traces, with their run items and what batch runs keep of them, and the run items whose output came from
 * one of them (docs/semantics.md, "Deletion of user data"). May be repeated.
 */
export async function forgetMadeFrom(
  context: Pick<DatasetsContext, 'db' | 'blankItems'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<void> {
  const { db } = context;
  const ids = traceIds.filter((id) => id !== '' && !id.includes('\0'));
  const datasets = await db.selectFrom('datasets').select('id').where('project_id', '=', projectId).orderBy('id').execute();
  for (const { id } of datasets) await forgetItems(context, id, ids);
  const runs = await db
    .selectFrom('dataset_runs as run')
    .innerJoin('datasets as dataset', 'dataset.id', 'run.dataset_id')
    .select('run.id')
    .where('dataset.project_id', '=', projectId)
    .orderBy('run.id')
    .execute();
  for (let at = 0; at < runs.length; at += runsAtOnce) {
    const some = runs.slice(at, at + runsAtOnce).map(({ id }) => id);
    await sql`DELETE FROM dataset_run_items WHERE run_id = ANY(${some}::uuid[]) AND trace_id = ANY(${ids}::text[])`.execute(db);
  }
}

async function forgetItems(
  { db, blankItems }: Pick<DatasetsContext, 'db' | 'blankItems'>,
  datasetId: string,
  traceIds: readonly string[],
): Promise<void> {
  const found = await db
    .selectFrom('dataset_items')
    .select('id')
    .where('dataset_id', '=', datasetId)
    .where('source_trace_id', '=', sql<string>`ANY(${[...traceIds]}::text[])`)
    .execute();
  if (found.length === 0) return;
  const itemIds = found.map(({ id }) => id);
  await db.transaction().execute(async (transaction) => {
    // Before the items, by the lock order of all writers.
    await transaction.selectFrom('datasets').select('id').where('id', '=', datasetId).forUpdate().execute();
    await blankItems(transaction, datasetId, itemIds);
    const { numDeletedRows } = await transaction.deleteFrom('dataset_items').where('id', 'in', itemIds).executeTakeFirstOrThrow();
    await transaction
      .updateTable('datasets')
      .set((eb) => ({ item_count: eb('item_count', '-', Number(numDeletedRows)) }))
      .where('id', '=', datasetId)
      .execute();
  });
}
