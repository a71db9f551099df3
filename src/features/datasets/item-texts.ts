import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import { holdsMoreValues } from '../../platform/json/index.ts';
import type { ItemContents } from './item-rows.ts';
import { contentsOfCsvRecord, contentsOfJsonLine } from './import-rows.ts';
import type { ImportColumn, ImportReader } from './import-rows.ts';
import type { itemTextFunctions } from './item-texts-worker.ts';
import { readItemsRequest } from './payload-texts.ts';
import type { ItemsRequest } from './payload-texts.ts';

/** Shorter texts are parsed at once, whatever they hold: some milliseconds. */
const shortText = 64 * 1024;
/** A longer text with fewer values is parsed at once too. JSON.parse takes up to 2 us for a member whose name is new. */
const fewValues = 50_000;

/**
 * Turns the JSON that people send into the texts that are stored. A text that may take long to parse is parsed in a thread of its own, so
 * that other requests are answered meanwhile.
 */
export class ItemTexts implements ImportReader {
  readonly #thread = new OnDemandThread<typeof itemTextFunctions>(new URL('./item-texts-worker.ts', import.meta.url), {
    name: 'the reader of large dataset items',
  });

  /** Reads a body; {@link readItemsRequest} says how. */
  async request(bytes: Buffer): Promise<ItemsRequest> {
    return isSlow(bytes) ? this.#thread.call('readItemsRequest', bytes) : readItemsRequest(bytes);
  }

  /** The contents of one line of a JSONL file. Errors: `invalid_request`, naming the line. */
  async ofJsonLine(line: number, text: string): Promise<ItemContents> {
    return text.length > shortText ? this.#thread.call('contentsOfJsonLine', line, text) : contentsOfJsonLine(line, text);
  }

  /** The contents of one record of a CSV file. Errors: `invalid_request`, naming the line. */
  async ofCsvRecord(line: number, text: string, header: readonly ImportColumn[]): Promise<ItemContents> {
    return text.length > shortText
      ? this.#thread.call('contentsOfCsvRecord', line, text, header)
      : contentsOfCsvRecord(line, text, header);
  }

  /** Ends the thread; what it was reading is rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

function isSlow(bytes: Buffer): boolean {
  return bytes.length > shortText && holdsMoreValues(bytes, fewValues);
}
