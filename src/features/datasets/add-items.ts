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
import { checkItemSize } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';

/** Most items of a dataset: what a comparison of runs still answers in seconds. */
export const mostItemsOfDataset = 100_000;

/**
 * Adds one item or several, all or nothing, in the order given (contract section 7).
 *
 * @returns `{items}` as JSON text
 *
 * Errors: `not_found` for a source that is not there; `payload_too_large` for an item over 4 MB, or sources over 16 MB together; `conflict`
 * when the dataset would have more than 100,000 items.
 */
export async function addItems(context: DatasetsContext, tenant: Tenant, datasetId: string, body: ItemsBody): Promise<string> {
  const contents = await contentsOf(context, tenant, body);
  const rows = await context.db.transaction().execute(async (transaction) => {
    const firstPlace = await takePlaces(transaction, datasetId, contents.length);
    return insertItems(transaction, { datasetId, firstPlace, now: nowOf(context) }, contents);
  });
  return `{"items":[${rows.map(itemJson).join(',')}]}`;
}

async function contentsOf(context: DatasetsContext, tenant: Tenant, body: ItemsBody): Promise<ItemContents[]> {
  const items: readonly NewItem[] = body.items ?? [body];
  const sources = await payloadsOfSources(
    context,
    tenant,
    items.map(({ source }) => source),
    (index) => (body.items ? `/items/${index}` : ''),
  );
  return items.map((item, index) => {
    const source = sources[index] ?? null;
    const input = Object.hasOwn(item, 'input') ? JSON.stringify(item.input) : (source?.input ?? 'null');
    const expectedOutput = Object.hasOwn(item, 'expectedOutput') ? JSON.stringify(item.expectedOutput) : (source?.output ?? null);
    const metadata = JSON.stringify(item.metadata ?? {});
    checkItemSize([input, expectedOutput, metadata], index);
    return { input, expectedOutput, metadata, source: source && { traceId: source.traceId, spanId: source.spanId } };
  });
}

/**
 * Takes places at the end of a dataset for new items; writers wait here for each other, so that the items of one stand together.
 *
 * @returns the first place
 *
 * Errors: `not_found` when the dataset is gone; `conflict` when it would be too large.
 */
export async function takePlaces(transaction: Transaction<DatasetsTables>, datasetId: string, count: number): Promise<number> {
  const taken = await transaction
    .updateTable('datasets')
    .set((eb) => ({ last_place: eb('last_place', '+', count), item_count: eb('item_count', '+', count) }))
    .where('id', '=', datasetId)
    .returning(['last_place', 'item_count'])
    .executeTakeFirst();
  if (!taken) throw noDataset();
  if (taken.item_count > mostItemsOfDataset) {
    throw new ServiceError(
      'conflict',
      `A dataset has at most ${mostItemsOfDataset.toLocaleString('en')} items, and this one has ${taken.item_count - count}; put the rest into another one.`,
    );
  }
  return taken.last_place - count + 1;
}

/** Rows of one INSERT. */
const batch = 500;

/** Stores items at places that {@link takePlaces} gave. */
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
