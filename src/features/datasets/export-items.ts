import { stringify } from 'csv-stringify/sync';
import type { Readable } from 'node:stream';
import { jsonStream } from '../../platform/json/index.ts';
import { withoutFormulas, writeCell } from './csv-cell.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { columns } from './row-layout.ts';
import { readItems } from './item-rows.ts';
import type { ItemRow } from './item-rows.ts';
import { withMembers } from './stored-json.ts';

interface ExportFormat {
  contentType: string;
  head(parts: readonly string[]): string;
  rows(items: readonly ItemRow[], parts: readonly string[]): string;
}

export const exportFormats: Readonly<Record<'jsonl' | 'csv', ExportFormat>> = {
  jsonl: { contentType: 'application/x-ndjson; charset=utf-8', head: () => '', rows: jsonl },
  csv: { contentType: 'text/csv; charset=utf-8', head: (parts) => `${parts.join(',')}\n`, rows: csv },
};

/** Streams all items of a dataset in order, as a file that an import reads as the same items. */
export async function exportItems({ db }: DatasetsContext, datasetId: string, { head, rows }: ExportFormat): Promise<Readable> {
  // A file with external ids names their column; one without has none.
  const identified = await db
    .selectFrom('dataset_items')
    .select('id')
    .where('dataset_id', '=', datasetId)
    .where('external_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const parts = columns.filter((column) => column !== 'externalId' || identified !== undefined);
  return jsonStream(
    (async function* () {
      const first = head(parts);
      if (first !== '') yield first;
      for await (const items of readItems(db, datasetId, { afterPlace: 0, max: Infinity })) {
        if (items.length > 0) yield rows(items, parts);
      }
    })(),
  );
}

function jsonl(items: readonly ItemRow[]): string {
  return items
    .map((item) => {
      const text = withMembers({}, [
        ['input', item.input],
        ['expectedOutput', item.expected_output],
        ['metadata', item.metadata],
        ['externalId', item.external_id === null ? null : JSON.stringify(item.external_id)],
      ]);
      // Drops the leading `{,`: an empty object has no member before the first.
      return `{${text.slice(2)}\n`;
    })
    .join('');
}

/** Quotes every cell, so that line breaks and commas in it are data. */
function csv(items: readonly ItemRow[], parts: readonly string[]): string {
  const rows = items.map((item) => [
    writeCell(item.input),
    writeCell(item.expected_output),
    item.metadata === '{}' ? '' : withoutFormulas(item.metadata),
    ...(parts.includes('externalId') ? [idCell(item.external_id)] : []),
  ]);
  return stringify(rows, { quoted: true });
}

/** An id stays as it is where {@link readCell} reads a number: an import takes the cell, not its value. */
function idCell(id: string | null): string {
  if (id === null) return '';
  return /^\d[\w.]*$/.test(id) ? id : writeCell(JSON.stringify(id));
}
