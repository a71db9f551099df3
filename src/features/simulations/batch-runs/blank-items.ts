import { sql } from 'kysely';
import type { Transaction } from '../../../platform/postgres/index.ts';

/**
 * Removes what batch runs keep of items of a dataset that are deleted with all data of a user: copies of their texts, answers and comments of scores. The runs
 * keep their items and figures.
 */
export async function blankItems(transaction: Transaction, datasetId: string, itemIds: readonly string[]): Promise<void> {
  const runs = await transaction.selectFrom('simulation_batch_runs').select('id').where('dataset_id', '=', datasetId).execute();
  for (const { id } of runs) {
    await sql`UPDATE simulation_inputs AS input SET input = 'null', expected_output = NULL, metadata = '{}'
      WHERE batch_run_id = ${id}::uuid AND place IN (
        SELECT place FROM simulation_items WHERE batch_run_id = ${id}::uuid AND dataset_item_id = ANY(${[...itemIds]}::uuid[]))`.execute(
      transaction,
    );
    await sql`UPDATE simulation_items SET output = NULL, error = CASE WHEN error IS NULL THEN NULL ELSE 'deleted' END, scores = NULL
      WHERE batch_run_id = ${id}::uuid AND dataset_item_id = ANY(${[...itemIds]}::uuid[])`.execute(transaction);
  }
}
