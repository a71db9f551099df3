import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import type { BatchBuilder, BuiltBatch } from './batch-builder.ts';

export interface BatchWriterOptions {
  clickhouse: ClickHouse;
  builder: BatchBuilder;
  /** Marks hours whose figures change; called before and after the rows are written. */
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/**
 * Brings a batch of log records into ClickHouse. May be repeated after a crash at any point:
 *
 * 1. the hours whose figures will change are marked, so that reads take their rows instead of the sealed rollups;
 * 2. the derived rows (calls, quality, traces) are written, worked out against what is stored;
 * 3. the spans and scores themselves are written. Only after this would a repetition see them as stored, and by then what is derived
 *    of them is there;
 * 4. the hours are marked again, since the sealing job may have looked between 1 and 3.
 *
 * @param records in order
 * @param token names the batch for good: the engine takes each of its inserts once
 * @param fresh whether nothing of it can have been written, or deleted, before
 * @returns the records that could not be read
 */
export async function writeBatch(
  { clickhouse, builder, markHours }: BatchWriterOptions,
  records: readonly Uint8Array[],
  token: string,
  fresh: boolean,
): Promise<BuiltBatch['unreadable']> {
  const { hours, derived, rows, unreadable } = await builder.build(records, token, fresh);
  if (hours.length > 0) await markHours(hours);
  for (const insert of derived) await clickhouse.insertRows(insert);
  for (const insert of rows) await clickhouse.insertRows(insert);
  await builder.written();
  if (hours.length > 0) await markHours(hours);
  return unreadable;
}
