import { isVisible } from './visible-items.ts';
import { withMembers } from './stored-json.ts';
import type { DatasetsTables, JsonText } from './tables.ts';
import type { Database } from '../../platform/postgres/index.ts';

export const itemColumns = [
  'id',
  'dataset_id',
  'input',
  'expected_output',
  'metadata',
  'source_trace_id',
  'source_span_id',
  'external_id',
  'created_at',
  'updated_at',
] as const;
export type ItemRow = Pick<DatasetsTables['dataset_items'], (typeof itemColumns)[number]>;

/** One item as JSON text; its contents are inserted as they are stored. */
export function itemJson(row: ItemRow): string {
  const source =
    row.source_trace_id === null ? null : JSON.stringify({ traceId: row.source_trace_id, spanId: row.source_span_id ?? '' });
  return withMembers({ id: row.id, datasetId: row.dataset_id }, [
    ['input', row.input],
    ['expectedOutput', row.expected_output],
    ['metadata', row.metadata],
    ['externalId', row.external_id === null ? null : JSON.stringify(row.external_id)],
    ['source', source],
    ['createdAt', JSON.stringify(row.created_at.toISOString())],
    ['updatedAt', JSON.stringify(row.updated_at.toISOString())],
  ]);
}

/** The contents of an item to store. */
export interface ItemContents {
  input: JsonText;
  /** null: the item has none. */
  expectedOutput: JsonText | null;
  metadata: JsonText;
  externalId: string | null;
  source: { traceId: string; spanId: string } | null;
}

/** Maximum rows in one query, and maximum bytes of contents read at once. */
const headerRows = 1000;
const chunkRows = 200;
const chunkBytes = 4_000_000;

/**
 * Streams items of a dataset in order, in batches of bounded size. An item that is added meanwhile comes last or not at all; one that is
 * deleted before its batch is left out.
 *
 * @param afterPlace returns items after this place; 0 for all
 * @param max maximum number of items
 */
export async function* readItems(
  db: Database,
  datasetId: string,
  { afterPlace, max }: { afterPlace: number; max: number },
): AsyncGenerator<ItemRow[]> {
  let after = afterPlace;
  for (let left = max; left > 0;) {
    const headers = await db
      .selectFrom('dataset_items')
      .select(({ fn, val, eb }) => [
        'place',
        eb(
          eb(fn<number>('octet_length', ['input']), '+', fn<number>('octet_length', ['metadata'])),
          '+',
          fn.coalesce(fn<number>('octet_length', ['expected_output']), val(0)),
        ).as('bytes'),
      ])
      .where('dataset_id', '=', datasetId)
      .where('place', '>', after)
      .where(isVisible(datasetId))
      .orderBy('place')
      .limit(Math.min(left, headerRows))
      .execute();
    for (const part of chunksOf(headers)) {
      yield await db
        .selectFrom('dataset_items')
        .select(itemColumns)
        .where('dataset_id', '=', datasetId)
        .where('place', '>', after)
        .where(isVisible(datasetId))
        .where('place', '<=', part.lastPlace)
        .orderBy('place')
        .execute();
      after = part.lastPlace;
    }
    left -= headers.length;
    if (headers.length < headerRows) return;
  }
}

function chunksOf(headers: ReadonlyArray<{ place: number; bytes: number }>): Array<{ lastPlace: number }> {
  const chunks: Array<{ lastPlace: number; rows: number; bytes: number }> = [];
  for (const { place, bytes } of headers) {
    const open = chunks.at(-1);
    if (open && open.rows < chunkRows && open.bytes + bytes <= chunkBytes) {
      open.lastPlace = place;
      open.rows += 1;
      open.bytes += bytes;
    } else chunks.push({ lastPlace: place, rows: 1, bytes });
  }
  return chunks;
}
