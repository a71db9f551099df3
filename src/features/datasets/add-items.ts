import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting, Actor } from '../../contract/actor.ts';
import type { ItemsBody, NewItem } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { noDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { itemColumns, itemJson } from './item-rows.ts';
import type { ItemContents, ItemRow } from './item-rows.ts';
import { payloadsOfSources } from './payloads-of-sources.ts';
import type { PayloadTexts } from './payload-texts.ts';
import { checkItemSize } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Maximum items of a dataset, so that a comparison of runs takes seconds. */
export const maxItemsOfDataset = 100_000;

/**
 * Adds one or more items atomically, in the given order; one whose external id the dataset has updates that item (docs/semantics.md, "Dataset items").
 *
 * @param payloads free-form fields of each item
 * @returns `{items}` as JSON text
 *
 * Errors: `not_found` for a missing source; `payload_too_large` for an item over 4 MiB, or sources over 16 MiB together; `conflict` when the
 * dataset would have more than 100,000 items.
 */
export async function addItems(
  context: DatasetsContext,
  { tenant, actor }: { tenant: Tenant; actor: Actor },
  datasetId: string,
  body: ItemsBody,
  payloads: readonly PayloadTexts[],
): Promise<string> {
  const { organizationId, projectId } = tenant;
  const contents = await contentsOf(context, tenant, body, payloads);
  const rows = await context.db.transaction().execute(async (transaction) => {
    return storeItems(context, transaction, { organizationId, projectId, actor }, datasetId, contents);
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
  return items.map(({ externalId = null }, index) => {
    const source = sources[index] ?? null;
    const given = payloads[index] ?? {};
    const input = given.input ?? source?.input ?? 'null';
    const expectedOutput = given.expectedOutput ?? source?.output ?? null;
    const metadata = given.metadata ?? '{}';
    checkItemSize([input, expectedOutput, metadata], index);
    return { input, expectedOutput, metadata, externalId, source: source && { traceId: source.traceId, spanId: source.spanId } };
  });
}

/**
 * Reserves places at the end of a dataset for new items. Locks the dataset, so that the items of one writer are contiguous.
 *
 * @returns the first place
 *
 * Errors: `not_found` when the dataset was deleted; `conflict` when it would be too large.
 */
export async function takePlaces(transaction: Transaction, datasetId: string, count: number): Promise<number> {
  const taken = await transaction
    .updateTable('datasets')
    .set((eb) => ({ last_place: eb('last_place', '+', count), item_count: eb('item_count', '+', count) }))
    .where('id', '=', datasetId)
    .returning(['last_place', 'item_count'])
    .executeTakeFirst();
  if (!taken) throw noDataset();
  refuseTooManyItems(taken.item_count - count, count);
  return taken.last_place - count + 1;
}

/** Throws `conflict` when a dataset with so many items has no room for `count` more. */
export function refuseTooManyItems(items: number, count: number): void {
  if (items + count <= maxItemsOfDataset) return;
  throw new ServiceError(
    'conflict',
    `A dataset has at most ${maxItemsOfDataset.toLocaleString('en')} items, and this one has ${items}; put the rest into another one.`,
  );
}

/** Rows in one INSERT. */
const batch = 500;

/** Stores new items at places from {@link takePlaces}. @param place `isShown`: whether they are not of an import that has not ended */
export async function insertItems(
  transaction: Transaction,
  { datasetId, firstPlace, now, isShown = true }: { datasetId: string; firstPlace: number; now: Date; isShown?: boolean },
  contents: readonly ItemContents[],
): Promise<Array<DatasetsTables['dataset_items']>> {
  const rows = contents.map(({ externalId, ...item }, index) => ({
    id: uuidv7(),
    dataset_id: datasetId,
    place: firstPlace + index,
    ...columnsOf(item),
    external_id: isShown ? externalId : null,
    pending_external_id: isShown ? null : externalId,
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

function columnsOf({ input, expectedOutput, metadata, source }: Omit<ItemContents, 'externalId'>) {
  return {
    input,
    expected_output: expectedOutput,
    metadata,
    source_trace_id: source?.traceId ?? null,
    source_span_id: source?.spanId ?? null,
  };
}

/** Adds items, and updates those whose external ids the dataset has; of equal ids the last counts. @returns the row of each of `contents` */
export async function storeItems(
  { clock }: Pick<DatasetsContext, 'clock'>,
  transaction: Transaction,
  acting: Acting,
  datasetId: string,
  contents: readonly ItemContents[],
): Promise<ItemRow[]> {
  const now = new Date(clock.now());
  const dataset = await transaction
    .selectFrom('datasets')
    .select('name')
    .where('id', '=', datasetId)
    .forUpdate()
    .executeTakeFirst();
  if (!dataset) throw noDataset();
  const last = new Map(contents.flatMap((item) => (item.externalId === null ? [] : [[item.externalId, item] as const])));
  const known = await knownItems(transaction, datasetId, [...last.keys()]);
  const added = contents.filter(
    (item) => item.externalId === null || (last.get(item.externalId) === item && !known.has(item.externalId)),
  );
  const firstPlace = await takePlaces(transaction, datasetId, added.length);
  const rows = await insertItems(transaction, { datasetId, firstPlace, now }, added);
  const changed = [...known].flatMap(([externalId, row]) => {
    const item = last.get(externalId);
    if (!item) return [];
    // Without a source the item keeps its own: the span from which it was created.
    const { source_trace_id, source_span_id, ...content } = columnsOf(item);
    const columns = { ...content, ...(item.source && { source_trace_id, source_span_id }) };
    if (Object.entries(columns).every(([name, value]) => row[name as keyof typeof columns] === value)) return [];
    return [Object.assign(row, columns, { updated_at: now })];
  });
  await updateItems(transaction, changed);
  if (changed.length > 0) {
    const detail = { datasetId, dataset: dataset.name, items: changed.length };
    await recordAudit(transaction, clock, { ...acting, kind: 'dataset.item_changed', subject: datasetId, detail });
  }
  const byExternalId = new Map<string, ItemRow>([
    ...known,
    ...rows.flatMap((row) => (row.external_id === null ? [] : [[row.external_id, row] as const])),
  ]);
  const others = rows.filter(({ external_id: id }) => id === null).values();
  return contents.flatMap(({ externalId }) => (externalId === null ? others.next().value : byExternalId.get(externalId)) ?? []);
}

/** Stores changed rows, many by one statement. */
async function updateItems(transaction: Transaction, rows: readonly ItemRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += batch) {
    const values = rows.slice(start, start + batch).map(
      (row) => sql`(${row.id}::uuid, ${row.input}, ${row.expected_output}::text, ${row.metadata}, ${row.source_trace_id}::text,
          ${row.source_span_id}::text, ${row.updated_at}::timestamptz)`,
    );
    await sql`UPDATE dataset_items AS item SET input = given.input, expected_output = given.expected_output, metadata = given.metadata,
        source_trace_id = given.source_trace_id, source_span_id = given.source_span_id, updated_at = given.updated_at
      FROM (VALUES ${sql.join(values)}) AS given (id, input, expected_output, metadata, source_trace_id, source_span_id, updated_at)
      WHERE item.id = given.id`.execute(transaction);
  }
}

async function knownItems(
  transaction: Transaction,
  datasetId: string,
  externalIds: readonly string[],
): Promise<Map<string, ItemRow>> {
  if (externalIds.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('dataset_items')
    .select(itemColumns)
    .where('dataset_id', '=', datasetId)
    .where('external_id', 'in', externalIds)
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.external_id ?? '', row]));
}
