import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { uuid } from '../../contract/common.ts';
import type { RunItemsBody } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import type { PayloadTexts } from './payload-texts.ts';
import { noRun } from './runs.ts';
import { checkItemSize, withMembers } from './stored-json.ts';
import { didNotFail } from './tables.ts';
import type { DatasetsTables, JsonText } from './tables.ts';

type RunItemRow = DatasetsTables['dataset_run_items'];

/**
 * Stores the results of a run for dataset items, atomically (docs/semantics.md, "Dataset runs"). An existing run item is replaced: it gets
 * a new id and loses its scores. When a dataset item is named twice, the last result counts.
 *
 * @param payloads the given outputs, by index in `items`
 * @returns `{items}` as JSON text, in the given order
 *
 * Errors: `not_found` for an item that is not of the dataset, or when the run was deleted; `payload_too_large` for an output over 4 MiB.
 */
export async function addRunItems(
  context: DatasetsContext,
  tenant: Tenant,
  { datasetId, runId }: { datasetId: string; runId: string },
  { items }: RunItemsBody,
  payloads: readonly PayloadTexts[],
): Promise<string> {
  const rows = items.map((item, index) => toRow(item, index, payloads[index]?.output ?? null, runId, nowOf(context)));
  const last = new Map(rows.map((row) => [row.dataset_item_id, row]));
  const kept = rows.filter((row) => last.get(row.dataset_item_id) === row);
  await context.db.transaction().execute(async (transaction) => {
    // Lock order of all writers: dataset, run, items, run items.
    await transaction.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute();
    const run = await transaction
      .selectFrom('dataset_runs')
      .select('id')
      .where('id', '=', runId)
      .where('dataset_id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!run) throw noRun();
    const itemIds = kept.map((row) => row.dataset_item_id);
    const found = await transaction
      .selectFrom('dataset_items')
      .select('id')
      .where('dataset_id', '=', datasetId)
      .where('id', '=', sql<string>`ANY(${itemIds}::uuid[])`)
      .forKeyShare()
      .execute();
    const known = new Set(found.map(({ id }) => id));
    const unknown = items.findIndex((item) => !known.has(item.datasetItemId.toLowerCase()));
    if (unknown >= 0) throw noSuchItem(unknown);
    await transaction
      .deleteFrom('dataset_run_items')
      .where('run_id', '=', runId)
      .where('dataset_item_id', '=', sql<string>`ANY(${itemIds}::uuid[])`)
      .execute();
    await transaction.insertInto('dataset_run_items').values(kept).execute();
    await transaction
      .updateTable('dataset_runs')
      .set({ updated_at: nowOf(context) })
      .where('id', '=', runId)
      .execute();
    const { organizationId, projectId } = tenant;
    await context.onRunItemsAdded(
      transaction,
      { organizationId, projectId },
      kept.map(({ id }) => id),
    );
  });
  return `{"items":[${kept.map(runItemJson).join(',')}]}`;
}

function toRow(
  item: RunItemsBody['items'][number],
  index: number,
  output: JsonText | null,
  runId: string,
  now: Date,
): RunItemRow {
  if (!uuid.safeParse(item.datasetItemId).success) throw noSuchItem(index);
  checkItemSize([output], index);
  return {
    id: uuidv7(),
    run_id: runId,
    dataset_item_id: item.datasetItemId.toLowerCase(),
    trace_id: item.traceId ?? null,
    output,
    latency_ms: item.latencyMs ?? null,
    cost_usd: item.costUsd ?? null,
    error: item.error === undefined || item.error === null ? null : JSON.stringify(item.error === '' ? false : item.error),
    created_at: now,
  };
}

function noSuchItem(index: number): ServiceError {
  return new ServiceError('not_found', `Item ${index} (counted from 0) names no item of this dataset; nothing was stored.`, {
    details: [{ path: `/items/${index}/datasetItemId`, message: 'is not an item of this dataset' }],
  });
}

/** One run item as JSON text; its output is inserted as it is stored. */
export function runItemJson(row: RunItemRow): string {
  return withMembers({ id: row.id, runId: row.run_id, datasetItemId: row.dataset_item_id }, [
    ...outcomeMembers(row),
    ['createdAt', JSON.stringify(row.created_at.toISOString())],
  ]);
}

/** The members of a run item's JSON. */
export function outcomeMembers(
  row: Pick<RunItemRow, 'trace_id' | 'output' | 'latency_ms' | 'cost_usd' | 'error'>,
): Array<readonly [name: string, json: string]> {
  return [
    ['traceId', JSON.stringify(row.trace_id)],
    ['output', row.output ?? 'null'],
    ['latencyMs', JSON.stringify(row.latency_ms)],
    ['costUsd', JSON.stringify(row.cost_usd)],
    ['error', row.error === didNotFail ? 'null' : (row.error ?? 'null')],
  ];
}
