import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { findSpans, readSpanPayloads } from '../traces/index.ts';
import type { FoundSpan } from '../traces/index.ts';
import { storeItems } from './add-items.ts';
import type { DatasetsContext } from './datasets-context.ts';
import type { ItemContents } from './item-rows.ts';
import { maxItemBytes } from './stored-json.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** A span, or with `spanId` null a trace, and the key by which the caller knows it. */
export interface RecordToAdd {
  key: string;
  traceId: string;
  spanId: string | null;
}

export interface RecordsToAdd {
  datasetId: string;
  records: readonly RecordToAdd[];
  /** Whether the output of a record is the expected output of its item. */
  withOutput: boolean;
  /** Called in the transaction that adds items, with the keys of their records. */
  onAdded(transaction: Transaction, keys: readonly string[]): Promise<void>;
}

/** Items and bytes of one transaction. */
const itemsAtOnce = 100;
const bytesAtOnce = 16 * 1_048_576;

/**
 * Adds an item for each record, with the record as its source.
 *
 * @returns the records that could not be added, with the reason
 * Errors: `not_found` when the dataset was deleted.
 */
export async function addRecords(
  context: DatasetsContext,
  acting: Acting,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  { datasetId, records, withOutput, onAdded }: RecordsToAdd,
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  const found = await findSpans(context, tenant, records);
  const named: Array<{ key: string; span: FoundSpan }> = [];
  for (const [index, span] of found.entries()) {
    const { key = '', spanId = null } = records[index] ?? {};
    if (span === null) failed.set(key, spanId === null ? 'There is no such trace.' : 'There is no such span.');
    else if (span.bytes > maxItemBytes)
      failed.set(key, 'Its input and output have more than 4 MiB, which an item of a dataset cannot hold.');
    else named.push({ key, span });
  }
  // Why the dataset takes no more items.
  let full: string | null = null;
  const add = async (part: typeof named): Promise<void> => {
    if (full !== null) for (const { key } of part) failed.set(key, full);
    if (part.length === 0 || full !== null) return;
    const payloads = await readSpanPayloads(
      context,
      tenant,
      part.map(({ span }) => span),
    );
    const contents = part.map(({ span }, index): ItemContents => {
      const { input = null, output = null } = payloads[index] ?? {};
      const source = { traceId: span.traceId, spanId: span.spanId };
      return { input: input ?? 'null', expectedOutput: withOutput ? output : null, metadata: '{}', externalId: null, source };
    });
    try {
      await context.db.transaction().execute(async (transaction) => {
        await storeItems(context, transaction, acting, datasetId, contents);
        await onAdded(
          transaction,
          part.map(({ key }) => key),
        );
      });
    } catch (error) {
      // The dataset is full: as many as fit are added.
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
      if (part.length === 1) {
        full = error.message;
        await add(part);
      } else for (const half of [part.slice(0, part.length >> 1), part.slice(part.length >> 1)]) await add(half);
    }
  };
  for (const part of groupsOf(named)) await add(part);
  return failed;
}

function groupsOf(all: ReadonlyArray<{ key: string; span: FoundSpan }>): Array<Array<{ key: string; span: FoundSpan }>> {
  const groups: Array<Array<{ key: string; span: FoundSpan }>> = [];
  let bytes = 0;
  for (const one of all) {
    const last = groups.at(-1);
    if (last && last.length < itemsAtOnce && bytes + one.span.bytes <= bytesAtOnce) {
      last.push(one);
      bytes += one.span.bytes;
    } else {
      groups.push([one]);
      bytes = one.span.bytes;
    }
  }
  return groups;
}
