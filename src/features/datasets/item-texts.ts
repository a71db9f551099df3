import type { ImportColumns } from '../../contract/datasets.ts';
import { turnsOf } from '../../platform/budgets/index.ts';
import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import { holdsMoreValues } from '../../platform/json/index.ts';
import type { ItemContents } from './item-rows.ts';
import { contentsOfCsvRecord, contentsOfJsonLine } from './import-rows.ts';
import type { ImportReader } from './import-rows.ts';
import type { CsvLayout } from './row-layout.ts';
import type { itemTextFunctions } from './item-texts-worker.ts';
import { readItemsRequest } from './payload-texts.ts';
import type { ItemsRequest } from './payload-texts.ts';

/** Shorter texts are parsed on the main thread: some milliseconds at worst. */
const shortText = 64 * 1024;
/** Longer texts with fewer values too, up to {@link longText}. JSON.parse takes up to 2 us for a member with a new name. */
const fewValues = 10_000;
const longText = 1_048_576;

/**
 * Converts JSON from requests to the stored texts. A text that may take long to parse is parsed in a worker thread, so that it delays no other
 * request.
 */
export class ItemTexts implements ImportReader {
  readonly #thread = new OnDemandThread<typeof itemTextFunctions>(new URL('./item-texts-worker.ts', import.meta.url), {
    name: 'the reader of large dataset items',
  });

  readonly #turns = turnsOf('largeBodies');

  /** Reads a body; {@link readItemsRequest} says how. @param caller whose turn it is in the thread. Errors also: `unavailable`. */
  async request(bytes: Buffer, caller: string): Promise<ItemsRequest> {
    return isSlow(bytes) ? this.#turns.run(caller, () => this.#thread.call('readItemsRequest', bytes)) : readItemsRequest(bytes);
  }

  /** The contents of one line of a JSONL file. Errors: `invalid_request`, naming the line. */
  async ofJsonLine(line: number, text: string, chosen?: ImportColumns): Promise<ItemContents> {
    return text.length > shortText
      ? this.#thread.call('contentsOfJsonLine', line, text, chosen)
      : contentsOfJsonLine(line, text, chosen);
  }

  /** The contents of one record of a CSV file. Errors: `invalid_request`, naming the line. */
  async ofCsvRecord(line: number, text: string, layout: CsvLayout): Promise<ItemContents> {
    return text.length > shortText
      ? this.#thread.call('contentsOfCsvRecord', line, text, layout)
      : contentsOfCsvRecord(line, text, layout);
  }

  /** Ends the thread; pending calls are rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

function isSlow(bytes: Buffer): boolean {
  return bytes.length > longText || (bytes.length > shortText && holdsMoreValues(bytes, fewValues));
}
