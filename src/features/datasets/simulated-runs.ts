import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { uuidOrNull } from '../../contract/common.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { noDataset } from './datasets.ts';
import { isVisible } from './visible-items.ts';
import { metadataText } from './stored-json.ts';
import { didNotFail } from './tables.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/**
 * Counts the items of a dataset for a batch run, and locks the dataset until the transaction ends.
 *
 * @returns how many items there are, and the last place of one
 * Errors: `not_found`.
 */
export async function lockSimulatedItems(
  transaction: Transaction,
  projectId: string,
  datasetId: string,
): Promise<{ items: number; lastPlace: number }> {
  await lockDataset(transaction, projectId, datasetId);
  const { items, lastPlace } = await transaction
    .selectFrom('dataset_items')
    .select(({ fn }) => [fn.countAll<number>().as('items'), fn.max<number | null>('place').as('lastPlace')])
    .where('dataset_id', '=', datasetId)
    .where(isVisible(datasetId))
    .executeTakeFirstOrThrow();
  return { items, lastPlace: lastPlace ?? 0 };
}

/** Creates the dataset run of a batch run. Errors: `not_found` when the dataset was deleted. */
export async function createSimulatedRun(
  transaction: Transaction,
  clock: Clock,
  given: { runId: string; projectId: string; datasetId: string; name: string; metadata: object },
): Promise<void> {
  const { runId, projectId, datasetId, name, metadata } = given;
  await lockDataset(transaction, projectId, datasetId);
  const now = new Date(clock.now());
  await transaction
    .insertInto('dataset_runs')
    .values({ id: runId, dataset_id: datasetId, name, metadata: metadataText(metadata), created_at: now, updated_at: now })
    .execute();
}

/** Locks a dataset of a project, so that it is not deleted before the transaction ends. Errors: `not_found`. */
export function lockDataset(transaction: Transaction, projectId: string, datasetId: string): Promise<void> {
  return requireDataset(transaction, projectId, datasetId, sql`FOR SHARE`);
}

/** Checks that a project has a dataset. @param lock of the row; default: none. Errors: `not_found`. */
export async function requireDataset(db: Database, projectId: string, datasetId: string, lock = sql``): Promise<void> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM datasets
    WHERE id = ${uuidOrNull(datasetId)}::uuid AND project_id = ${projectId}::uuid ${lock}`.execute(db);
  if (rows.length === 0) throw noDataset();
}

/** SQL of the items of a dataset: `id, place, input, expected_output, metadata`, of which the last three are JSON texts. */
export function simulatedItems(datasetId: string): RawBuilder<unknown> {
  return sql`SELECT id, place, input, expected_output, metadata FROM dataset_items
    WHERE dataset_id = ${datasetId}::uuid AND ${isVisible(datasetId)}`;
}

/** SQL of the beginnings of the inputs of any items: `id, input_preview`, the first 200 characters of the JSON text. To be joined by `id`. */
export const inputPreviews = sql`SELECT id, left(input, 200) AS input_preview FROM dataset_items`;

/** The contents of an item of any dataset of a project, as JSON texts; null when there is none. @param itemId any text */
export async function simulatedItem(
  db: Database,
  projectId: string,
  itemId: string,
): Promise<{ id: string; input: string; expectedOutput: string | null; metadata: string } | null> {
  const { rows } = await sql<{ id: string; input: string; expectedOutput: string | null; metadata: string }>`
    SELECT item.id, item.input, item.expected_output AS "expectedOutput", item.metadata
    FROM dataset_items AS item JOIN datasets ON datasets.id = item.dataset_id
    WHERE item.id = ${uuidOrNull(itemId)}::uuid AND datasets.project_id = ${projectId}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Locks the dataset of a batch run, so that none of its items is deleted before the transaction ends. Call before {@link addingSimulatedItems}. */
export async function keepSimulatedItems(transaction: Transaction, datasetId: string): Promise<void> {
  // Lock order of all writers: dataset, run, items, run items. Who deletes an item or the dataset locks the dataset for update.
  await sql`SELECT id FROM datasets WHERE id = ${datasetId}::uuid FOR KEY SHARE`.execute(transaction);
}

/**
 * SQL of common table expressions that add results to the dataset run of a batch run: those of deleted items are left out, and so are all when the run was
 * deleted; an item that has a result keeps it. They are not queued for evaluation. For a statement of a transaction that has called
 * {@link keepSimulatedItems}: no key keeps the result of an item out that is deleted meanwhile. Not for a statement that locks or changes `dataset_runs`
 * elsewhere.
 *
 * @param results a query with the columns `id`, `dataset_item_id`, `trace_id`, `output`, `latency_ms`, `cost_usd` and `error` of `dataset_run_items`, and an
 *   error of NULL for an item that did not fail
 */
export function addingSimulatedItems(clock: Clock, runId: string, results: RawBuilder<unknown>): RawBuilder<unknown> {
  const now = sql`${new Date(clock.now()).toISOString()}::timestamptz`;
  return sql`dataset_run AS (
      UPDATE dataset_runs SET updated_at = ${now} WHERE id = ${runId}::uuid AND EXISTS (${results}) RETURNING id
    ), run_items AS (
      INSERT INTO dataset_run_items (id, run_id, dataset_item_id, trace_id, output, latency_ms, cost_usd, error, created_at)
      SELECT result.id, dataset_run.id, item.id, result.trace_id, result.output, result.latency_ms, result.cost_usd,
        coalesce(result.error, ${didNotFail}), ${now}
      FROM dataset_run, (${results}) AS result JOIN dataset_items AS item ON item.id = result.dataset_item_id
      ON CONFLICT (run_id, dataset_item_id) DO NOTHING
    )`;
}

/** Ids of a run's items by id of the dataset item. */
export async function runItemIds(
  transaction: Transaction,
  runId: string,
  datasetItemIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; item: string }>`SELECT id, dataset_item_id AS item FROM dataset_run_items
    WHERE run_id = ${runId}::uuid AND dataset_item_id = ANY(${[...datasetItemIds]}::uuid[])`.execute(transaction);
  return new Map(rows.map(({ id, item }) => [item, id]));
}
