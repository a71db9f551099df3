import type { Readable } from 'node:stream';
import type { Acting } from '../../contract/actor.ts';
import { uuidOrNull } from '../../contract/common.ts';
import type { ItemChange, ItemsQuery } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { jsonList } from '../../platform/json/index.ts';
import { recordAudit } from '../audit/index.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { itemColumns, itemJson, readItems } from './item-rows.ts';
import type { PayloadTexts } from './payload-texts.ts';
import { checkItemSize } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Returns items, oldest first, as a stream of JSON text.
 *
 * @param query `after`: the id of an item; returns the items after it
 *
 * Errors: `invalid_request` when the dataset has no item with this id.
 */
export async function listItems({ db }: DatasetsContext, datasetId: string, { after, limit }: ItemsQuery): Promise<Readable> {
  const afterPlace = after === undefined ? 0 : await placeOf({ db }, datasetId, after);
  const groups = (async function* () {
    for await (const rows of readItems(db, datasetId, { afterPlace, max: limit })) yield rows.map(itemJson);
  })();
  return jsonList('{"items":[', groups, () => ']}');
}

async function placeOf({ db }: Pick<DatasetsContext, 'db'>, datasetId: string, itemId: string): Promise<number> {
  const item = await db
    .selectFrom('dataset_items')
    .select('place')
    .where('id', '=', uuidOrNull(itemId))
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  if (item) return item.place;
  throw new ServiceError(
    'invalid_request',
    'The dataset has no item with the id in after; send the id of the last item that you received.',
    {
      details: [{ path: '/after', message: 'is not an item of this dataset' }],
    },
  );
}

/** One item as JSON text. Errors: `not_found`. */
export async function getItem({ db }: DatasetsContext, datasetId: string, itemId: string): Promise<string> {
  const row = await db
    .selectFrom('dataset_items')
    .select(itemColumns)
    .where('id', '=', itemId)
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  if (!row) throw noItem();
  return itemJson(row);
}

/**
 * Changes the given fields. An `expectedOutput` of null is stored as null; `unset: ["expectedOutput"]` removes it.
 *
 * @param payloads the given free-form fields
 * @returns the item as JSON text
 *
 * Errors: `not_found`; `payload_too_large` for an item over 4 MiB; `conflict` for the external id of another item.
 */
export async function changeItem(
  context: DatasetsContext,
  acting: Acting,
  datasetId: string,
  itemId: string,
  change: ItemChange,
  payloads: PayloadTexts,
): Promise<string> {
  return context.db.transaction().execute(async (transaction) => {
    // Writers of external ids take turns.
    if (change.externalId !== undefined)
      await transaction.selectFrom('datasets').select('id').where('id', '=', datasetId).forUpdate().execute();
    const before = await transaction
      .selectFrom('dataset_items')
      .select(itemColumns)
      .where('id', '=', itemId)
      .where('dataset_id', '=', datasetId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw noItem();
    const row = {
      input: payloads.input ?? before.input,
      expected_output: payloads.expectedOutput ?? (change.unset?.length ? null : before.expected_output),
      metadata: payloads.metadata ?? before.metadata,
      external_id: change.externalId === undefined ? before.external_id : change.externalId,
      updated_at: nowOf(context),
    };
    checkItemSize([row.input, row.expected_output, row.metadata], 0);
    await transaction
      .updateTable('dataset_items')
      .set(row)
      .where('id', '=', itemId)
      .execute()
      .catch((error: unknown) => {
        if (!isUniqueViolation(error, 'dataset_items_external_id')) throw error;
        throw new ServiceError(
          'conflict',
          'Another item of the dataset has this externalId; choose another, or change that item.',
        );
      });
    await recordItemChange(context, transaction, acting, { datasetId, itemId, before, after: row });
    return itemJson({ ...before, ...row });
  });
}

interface ItemChanged {
  datasetId: string;
  itemId: string;
  before: ItemTextsOf;
  after: ItemTextsOf;
}

type ItemTextsOf = Pick<DatasetsTables['dataset_items'], 'input' | 'expected_output' | 'metadata' | 'external_id'>;

/** Another expected output changes what passes. Nothing is recorded of a change that changes nothing. */
async function recordItemChange(
  { clock }: Pick<DatasetsContext, 'clock'>,
  transaction: Transaction,
  acting: Acting,
  { datasetId, itemId, before, after }: ItemChanged,
): Promise<void> {
  const changed = [
    ...(before.input === after.input ? [] : ['input']),
    ...(before.expected_output === after.expected_output ? [] : ['expectedOutput']),
    ...(before.metadata === after.metadata ? [] : ['metadata']),
    ...(before.external_id === after.external_id ? [] : ['externalId']),
  ];
  if (changed.length === 0) return;
  const { name } = await transaction.selectFrom('datasets').select('name').where('id', '=', datasetId).executeTakeFirstOrThrow();
  const detail = { datasetId, dataset: name, changed };
  await recordAudit(transaction, clock, { ...acting, kind: 'dataset.item_changed', subject: itemId, detail });
}

/** Deletes an item with its run items. Errors: `not_found`. */
export async function deleteItem(
  { db, clock }: Pick<DatasetsContext, 'db' | 'clock'>,
  acting: Acting,
  datasetId: string,
  itemId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Before the item, by the lock order of all writers.
    const dataset = await transaction
      .selectFrom('datasets')
      .select('name')
      .where('id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!dataset) throw noDataset();
    const { numDeletedRows } = await transaction
      .deleteFrom('dataset_items')
      .where('id', '=', itemId)
      .where('dataset_id', '=', datasetId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw noItem();
    await transaction
      .updateTable('datasets')
      .set((eb) => ({ item_count: eb('item_count', '-', 1) }))
      .where('id', '=', datasetId)
      .execute();
    const detail = { datasetId, dataset: dataset.name };
    await recordAudit(transaction, clock, { ...acting, kind: 'dataset.item_deleted', subject: itemId, detail });
  });
}

/** Errors: `not_found` unless the dataset has the item. */
export async function requireItem({ db }: DatasetsContext, datasetId: string, itemId: string): Promise<void> {
  const item = await db
    .selectFrom('dataset_items')
    .select('id')
    .where('id', '=', uuidOrNull(itemId))
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  if (!item) throw noItem();
}

export function noItem(): ServiceError {
  return new ServiceError('not_found', 'There is no such item in this dataset; list its items to see which there are.');
}
