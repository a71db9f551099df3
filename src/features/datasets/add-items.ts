import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ItemsBody, NewItem } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { itemJson } from './item-rows.ts';
import type { ItemContents } from './item-rows.ts';
import { payloadsOfSources } from './payloads-of-sources.ts';
import type { PayloadTexts } from './payload-texts.ts';
import { checkItemSize } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';

/** Maximum items of a dataset, so that a comparison of runs takes seconds. */
export const maxItemsOfDataset = 100_000;

/**
 * Adds one or more items atomically, in the given order (docs/semantics.md, "Dataset items").
 *
 * @param payloads free-form fields of each item
 * @returns `{items}` as JSON text
 *
 * Errors: `not_found` for a missing source; `payload_too_large` for an item over 4 MiB, or sources over 16 MiB together; `conflict` when the
 * dataset would have more than 100,000 items.
 */
export async function addItems(
  context: DatasetsContext,
  tenant: Tenant,
  datasetId: string,
  body: ItemsBody,
  payloads: readonly PayloadTexts[],
): Promise<string> {
  const contents = await contentsOf(context, tenant, body, payloads);
  const rows = await context.db.transaction().execute(async (transaction) => {
    const firstPlace = await takePlaces(transaction, datasetId, contents.length);
    return insertItems(transaction, { datasetId, firstPlace, now: nowOf(context) }, contents);
  });
  return `{"items":[${rows.map(itemJson).join(',')}]}`;
}

async function contentsOf(
  context: DatasetsContext,
  tenant: Tenant,
  body: ItemsBody,
  payloads: readonly PayloadTexts[],
): Promise<ItemContents[]> {
  const items: readonly NewItem[] = body.items ?? [body];
  const sources = await payloadsOfSources(
    context,
    tenant,
    items.map(({ source }) => source),
    (index) => (body.items ? `/items/${index}` : ''),
  );
  return items.map((_item, index) => {
    const source = sources[index] ?? null;
    const given = payloads[index] ?? {};
    const input = given.input ?? source?.input ?? 'null';
    const expectedOutput = given.expectedOutput ?? source?.output ?? null;
    const metadata = given.metadata ?? '{}';
    checkItemSize([input, expectedOutput, metadata], index);
    return { input, expectedOutput, metadata, source: source && { traceId: source.traceId, spanId: source.spanId } };
  });
}

/**
 * Reserves places at the end of a dataset for new items. Locks the dataset, so that the items of one writer are contiguous.
 *
 * @returns the first place
 *
 * Errors: `not_found` when the dataset was deleted; `conflict` when it would be too large.
 */
export async function takePlaces(transaction: Transaction<DatasetsTables>, datasetId: string, count: number): Promise<number> {
  const taken = await transaction
    .updateTable('datasets')
    .set((eb) => ({ last_place: eb('last_place', '+', count), item_count: eb('item_count', '+', count) }))
    .where('id', '=', datasetId)
    .returning(['last_place', 'item_count'])
    .executeTakeFirst();
  if (!taken) throw noDataset();
  if (taken.item_count > maxItemsOfDataset) {
    throw new ServiceError(
      'conflict',
      `A dataset has at most ${maxItemsOfDataset.toLocaleString('en')} items, and this one has ${taken.item_count - count}; put the rest into another one.`,
    );
  }
  return taken.last_place - count + 1;
}

/** Rows in one INSERT. */
const batch = 500;

/** Stores items at places from {@link takePlaces}. */
export async function insertItems(
  transaction: Transaction<DatasetsTables>,
  { datasetId, firstPlace, now }: { datasetId: string; firstPlace: number; now: Date },
  contents: readonly ItemContents[],
): Promise<Array<DatasetsTables['dataset_items']>> {
  const rows = contents.map(({ input, expectedOutput, metadata, source }, index) => ({
    id: uuidv7(),
    dataset_id: datasetId,
    place: firstPlace + index,
    input,
    expected_output: expectedOutput,
    metadata,
    source_trace_id: source?.traceId ?? null,
    source_span_id: source?.spanId ?? null,
    created_at: now,
    updated_at: now,
  }));
  for (let start = 0; start < rows.length; start += batch) {
    await transaction
      .insertInto('dataset_items')
      .values(rows.slice(start, start + batch))
      .execute();
  }
  return rows;
}
