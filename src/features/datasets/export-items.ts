import { stringify } from 'csv-stringify/sync';
import type { Readable } from 'node:stream';
import { jsonStream } from '../../platform/json/index.ts';
import { writeCell } from './csv-cell.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { columns } from './import-rows.ts';
import { readItems } from './item-rows.ts';
import type { ItemRow } from './item-rows.ts';
import { withMembers } from './stored-json.ts';

interface ExportFormat {
  contentType: string;
  head: string;
  rows(items: readonly ItemRow[]): string;
}

export const exportFormats: Readonly<Record<'jsonl' | 'csv', ExportFormat>> = {
  jsonl: { contentType: 'application/x-ndjson; charset=utf-8', head: '', rows: jsonl },
  csv: { contentType: 'text/csv; charset=utf-8', head: `${columns.join(',')}\n`, rows: csv },
};

/** Streams all items of a dataset in order, as a file that an import reads as the same items. */
export function exportItems({ db }: DatasetsContext, datasetId: string, { head, rows }: ExportFormat): Promise<Readable> {
  return jsonStream(
    (async function* () {
      if (head !== '') yield head;
      for await (const items of readItems(db, datasetId, { afterPlace: 0, max: Infinity })) {
        if (items.length > 0) yield rows(items);
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
      ]);
      // Drops the leading `{,`: an empty object has no member before the first.
      return `{${text.slice(2)}\n`;
    })
    .join('');
}

/** Quotes every cell, so that line breaks and commas in it are data. */
function csv(items: readonly ItemRow[]): string {
  const rows = items.map((item) => [
    writeCell(item.input),
    writeCell(item.expected_output),
    item.metadata === '{}' ? '' : item.metadata,
  ]);
  return stringify(rows, { quoted: true });
}
