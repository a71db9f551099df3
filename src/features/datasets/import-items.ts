import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { insertItems, maxItemsOfDataset, takePlaces } from './add-items.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { fileLines } from './file-lines.ts';
import { importError } from './import-error.ts';
import { csvRows, jsonlRows } from './import-rows.ts';
import { Spool } from './spool.ts';

/** Media types of importable files. */
export const importTypes: ReadonlyMap<string, typeof csvRows> = new Map([
  ['application/x-ndjson', jsonlRows],
  ['text/csv', csvRows],
]);

/**
 * Adds the items of a file to a dataset atomically, in the order of the file. The file is streamed and never in memory as a whole.
 *
 * @returns the number of items added
 *
 * Errors: `invalid_request` for an invalid row, with line and column of the first one, and for a file without rows; `payload_too_large`
 * past 64 MiB; `conflict` when the dataset would have more than 100,000 items; `not_found` when it was deleted.
 */
export async function importItems(
  context: DatasetsContext,
  datasetId: string,
  file: Readable,
  rowsOf: typeof csvRows,
): Promise<{ imported: number }> {
  const spool = await Spool.open(context.temporaryDirectory);
  try {
    for await (const { line, contents } of rowsOf(fileLines(file), context.itemTexts)) {
      if (spool.count >= maxItemsOfDataset) {
        throw importError({ line }, `is past the ${maxItemsOfDataset.toLocaleString('en')} items that a dataset has at most`);
      }
      await spool.add(contents);
    }
    if (spool.count === 0) throw new ServiceError('invalid_request', 'The file has no rows; send one item on each line.');
    await context.db.transaction().execute(async (transaction) => {
      const now = nowOf(context);
      let firstPlace = await takePlaces(transaction, datasetId, spool.count);
      for await (const contents of spool.read()) {
        await insertItems(transaction, { datasetId, firstPlace, now }, contents);
        firstPlace += contents.length;
      }
    });
    return { imported: spool.count };
  } finally {
    await spool.close();
  }
}
