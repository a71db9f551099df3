import type { Readable } from 'node:stream';
import type { Acting } from '../../contract/actor.ts';
import type { ImportColumns } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { Pace } from '../../platform/postgres/index.ts';
import { maxItemsOfDataset } from './add-items.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { unknownFormat } from './file-format.ts';
import { fileLines } from './file-lines.ts';
import { importError } from './import-error.ts';
import { csvRows, jsonlRows } from './import-rows.ts';
import { abandonImport, addSlice, beginImport, endImport } from './import-slices.ts';
import { mergeImport } from './merge-import.ts';
import { Spool } from './spool.ts';
import { withMembers } from './stored-json.ts';

/** Rows of one slice, at most. */
const rowsOfSlice = 500;

/** Media types of importable files. */
export const importTypes: ReadonlyMap<string, 'jsonl' | 'csv'> = new Map([
  ['application/x-ndjson', 'jsonl'],
  ['text/csv', 'csv'],
]);
const rowsOf = { jsonl: jsonlRows, csv: csvRows } as const;

/** A file to import. */
export interface ImportFile {
  file: Readable;
  format: 'jsonl' | 'csv';
  columns: ImportColumns | undefined;
}

/** Rows of a preview, at most. */
const previewed = 20;

/**
 * Adds the items of a file to a dataset atomically, in the order of the file. The file is streamed and never in memory as a whole. It is stored in
 * slices, between which the database serves others.
 *
 * @returns the number of rows, and of those that updated items of the same external id
 *
 * Errors: `invalid_request` for an invalid row, with line and column of the first one, and for a file without rows; `payload_too_large`
 * past 64 MiB; `conflict` when the dataset would have more than 100,000 items; `not_found` when it was deleted.
 */
export async function importItems(
  context: DatasetsContext,
  acting: Acting,
  datasetId: string,
  { file, format: type, columns }: ImportFile,
): Promise<{ imported: number; updated?: number }> {
  const format = unknownFormat(type === 'csv');
  const spool = await Spool.open(context.temporaryDirectory);
  try {
    for await (const { line, contents } of rowsOf[type](fileLines(file, format), {
      read: context.itemTexts,
      format,
      columns,
    })) {
      if (spool.count >= maxItemsOfDataset) {
        throw importError({ line }, `is past the ${maxItemsOfDataset.toLocaleString('en')} items that a dataset has at most`);
      }
      await spool.add(contents);
    }
    if (spool.count === 0) throw new ServiceError('invalid_request', 'The file has no rows; send one item on each line.');
    const open = await beginImport(context, datasetId, { count: spool.count, identified: spool.identified });
    let updated = 0;
    try {
      const pace = new Pace(rowsOfSlice);
      for await (const batch of spool.read()) {
        for (let start = 0; start < batch.length;) {
          start += await pace.slice(async (rows) => {
            const slice = batch.slice(start, start + rows);
            await addSlice(context, open, slice);
            return slice.length;
          });
        }
      }
      updated = await (open.isIdentified ? mergeImport : endImport)(context, acting, open);
    } catch (error) {
      // Where this fails too, a job does it later.
      await abandonImport(context, open.id).catch(() => undefined);
      throw error;
    }
    return { imported: spool.count, ...(updated === 0 ? {} : { updated }) };
  } finally {
    await spool.close();
  }
}

/**
 * The first rows of a file as items, and what its encoding and delimiter were found to be. Stores nothing.
 *
 * @returns JSON text
 * Errors: those of {@link importItems} for these rows.
 */
export async function previewImport(
  { itemTexts }: DatasetsContext,
  { file, format: type, columns }: ImportFile,
): Promise<string> {
  const format = unknownFormat(type === 'csv');
  const items: string[] = [];
  for await (const { contents } of rowsOf[type](fileLines(file, format), { read: itemTexts, format, columns })) {
    const { input, expectedOutput, metadata, externalId } = contents;
    const members = [
      ['input', input],
      ['expectedOutput', expectedOutput],
      ['metadata', metadata],
      ['externalId', externalId === null ? null : JSON.stringify(externalId)],
    ] as const;
    items.push(`{${withMembers({}, members).slice(2)}`);
    if (items.length === previewed) break;
  }
  if (items.length === 0) throw new ServiceError('invalid_request', 'The file has no rows; send one item on each line.');
  const { encoding, delimiter, header } = format;
  return `{"items":[${items.join(',')}],${JSON.stringify({ encoding, delimiter, columns: header }).slice(1)}`;
}
