import { RowReader, RowWriter } from '../../../platform/clickhouse/index.ts';
import type { IngestTenant } from '../pipeline-contract.ts';
import type { IngestBatch } from '../span.ts';
import { readScoreOutline, writeScoreRow } from './score-row.ts';
import type { ScoreOutline } from './score-row.ts';
import { readSpanOutline, writeSpanRow } from './span-row.ts';
import type { SpanOutline } from './span-row.ts';

/** One accepted request as the log holds it: who sent it, what it counts, and its rows as ClickHouse reads them. */
export interface LogRecord extends LogRecordHead {
  spanRows: Uint8Array;
  scoreRows: Uint8Array;
  spans: SpanOutline[];
  scores: ScoreOutline[];
}

export interface LogRecordHead extends IngestTenant {
  /** What it adds to the quota of `month`. */
  countedEvents: number;
  /** First day of the calendar month (UTC) that it counts in, `YYYY-MM-01`. */
  month: string;
  /** Spans, trace records and scores in it. */
  events: number;
  /** Of those, spans. */
  spanCount: number;
  /** When it was accepted, epoch milliseconds. */
  receivedMs: number;
  maxVersion: number;
}

const format = 1;

/**
 * Encodes a batch. Every row takes a version of its own, `firstVersion` and up, in the order of the body: of two rows of the same
 * span the later one wins.
 */
export function encodeLogRecord(
  tenant: IngestTenant,
  batch: IngestBatch,
  head: Pick<LogRecordHead, 'countedEvents' | 'month' | 'receivedMs' | 'spanCount'>,
  firstVersion: number,
): Uint8Array {
  const rows = new RowWriter(64 * 1024);
  let version = firstVersion;
  for (const span of batch.spans) writeSpanRow(rows, tenant.projectId, version++, span);
  const spanBytes = rows.length;
  for (const score of batch.scores) writeScoreRow(rows, tenant.projectId, version++, score);
  const start = new RowWriter(160);
  start.uint8(format);
  start.uuid(tenant.projectId);
  start.uuid(tenant.organizationId);
  start.uint32(head.countedEvents);
  start.string(head.month);
  start.uint32(batch.spans.length + batch.scores.length);
  start.uint32(head.spanCount);
  start.uint64(head.receivedMs);
  start.uint64(version - 1);
  start.uint32(spanBytes);
  start.uint32(rows.length - spanBytes);
  return Buffer.concat([start.finish(), rows.finish()]);
}

/** Reads the head of a record alone: enough to know what waits in the log. */
export function decodeLogRecordHead(bytes: Uint8Array): LogRecordHead {
  return readHead(new RowReader(bytes));
}

/** Reads a whole record. Throws a RangeError when it is cut short, an Error when a newer release wrote it. */
export function decodeLogRecord(bytes: Uint8Array): LogRecord {
  const reader = new RowReader(bytes);
  const head = readHead(reader);
  const spanBytes = reader.uint32();
  const scoreBytes = reader.uint32();
  const spanRows = reader.raw(spanBytes);
  const scoreRows = reader.raw(scoreBytes);
  return { ...head, spanRows, scoreRows, spans: all(spanRows, readSpanOutline), scores: all(scoreRows, readScoreOutline) };
}

function readHead(reader: RowReader): LogRecordHead {
  const found = reader.uint8();
  if (found !== format) throw new Error(`the log holds a record of format ${found}; this release reads format ${format}`);
  return {
    projectId: reader.uuid(),
    organizationId: reader.uuid(),
    countedEvents: reader.uint32(),
    month: reader.string(),
    events: reader.uint32(),
    spanCount: reader.uint32(),
    receivedMs: reader.uint64(),
    maxVersion: reader.uint64(),
  };
}

function all<T>(rows: Uint8Array, read: (reader: RowReader) => T): T[] {
  const reader = new RowReader(rows);
  const values: T[] = [];
  while (!reader.done) values.push(read(reader));
  return values;
}
