import { decodeLogRecord, decodeLogRecordHead, sizeOfRows } from '../log/log-record.ts';
import type { LogRecordHead } from '../log/log-record.ts';

/** Maximum spans, scores and bytes of rows of one batch, unless one record has more. */
export const defaultMaxEvents = 32_768;
const maxRowBytes = 96 * 1024 * 1024;

export interface MeasuredRecord {
  bytes: Uint8Array;
  /** null when the record cannot be read. */
  head: LogRecordHead | null;
  /** Approximate size of its rows in memory, in bytes. */
  rowBytes: number;
}

/** A record of a segment with its head. Throws when a newer release wrote it. */
export function measured(bytes: Uint8Array): MeasuredRecord {
  try {
    const record = decodeLogRecord(bytes);
    return { bytes, head: record, rowBytes: sizeOfRows(record) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { bytes, head: null, rowBytes: bytes.length };
  }
}

/** Divides a segment's records into batches, deterministically: a batch repeated after a crash has the same position and length. */
export function batchesOf(records: readonly MeasuredRecord[], maxEvents: number): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let eventCount = 0;
  let rowBytes = 0;
  for (const record of records) {
    const ofRecord = record.head?.eventCount ?? 0;
    const last = batches.at(-1);
    eventCount += ofRecord;
    rowBytes += record.rowBytes;
    if (last && eventCount <= maxEvents && rowBytes <= maxRowBytes) {
      last.push(record.bytes);
      continue;
    }
    batches.push([record.bytes]);
    eventCount = ofRecord;
    rowBytes = record.rowBytes;
  }
  return batches;
}

/** Reads the head of a record; null when it is truncated. Throws when a newer release wrote it: only that release can write its rows. */
export function readableHead(record: Uint8Array): LogRecordHead | null {
  try {
    return decodeLogRecordHead(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
