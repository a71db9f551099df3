import { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import type { IngestTenant, OtlpRequest } from '../pipeline-contract.ts';
import type { IngestBatch } from '../span.ts';
import { writeScoreRow } from './score-row.ts';
import { writeSpanRow } from './span-row.ts';

/** Rows as ClickHouse reads them. */
export interface RecordRows {
  spanRows: Uint8Array;
  scoreRows: Uint8Array;
}

/**
 * One accepted request as the log holds it: who sent it, what it counts, and its rows, or, of OTLP, the request itself. To check a
 * request costs a third of what its rows cost, and as sent it is a tenth as long: rows are made when the batch is built.
 */
export type LogRecord = LogRecordHead & ({ rows: RecordRows } | { otlp: OtlpRequest });

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
  /** SHA-256 (base64) of who sent which bytes: the same body counts once, whichever replica takes it. `''`: it counts by itself. */
  bodyDigest: string;
  maxVersion: number;
}

const rowsFormat = 3;
const otlpFormat = 4;
/** The same two without a digest, as earlier releases wrote them. */
const oldFormats: ReadonlyMap<number, number> = new Map([
  [1, rowsFormat],
  [2, otlpFormat],
]);

type ToldHead = Pick<LogRecordHead, 'countedEvents' | 'month' | 'receivedMs' | 'bodyDigest' | 'spanCount' | 'events'>;

/**
 * Encodes a batch. Every row takes a version of its own, `firstVersion` and up, in the order of the body: of two rows of the same
 * span the later one wins.
 */
export function encodeLogRecord(tenant: IngestTenant, batch: IngestBatch, told: ToldHead, firstVersion: number): Uint8Array {
  const rows = new RowWriter(64 * 1024);
  const spanBytes = writeRows(rows, tenant.projectId, batch, firstVersion);
  const start = startRecord(rowsFormat, tenant, told, firstVersion);
  start.uint32(spanBytes);
  start.uint32(rows.length - spanBytes);
  return Buffer.concat([start.finish(), rows.finish()]);
}

/**
 * Writes the rows of a batch, spans first, with versions from `firstVersion` on.
 *
 * @returns how many of the bytes are spans
 */
export function writeRows(rows: RowWriter, projectId: string, batch: IngestBatch, firstVersion: number): number {
  let version = firstVersion;
  for (const span of batch.spans) writeSpanRow(rows, projectId, version++, span);
  const spanBytes = rows.length;
  for (const score of batch.scores) writeScoreRow(rows, projectId, version++, score);
  return spanBytes;
}

/** Encodes a checked OTLP request; its rows will take the versions from `firstVersion` on. */
export function encodeOtlpRecord(tenant: IngestTenant, request: OtlpRequest, told: ToldHead, firstVersion: number): Uint8Array {
  const start = startRecord(otlpFormat, tenant, told, firstVersion);
  start.string(request.contentEncoding);
  start.string(request.encoding);
  start.uint32(request.inflatedBytes);
  start.uint64(request.nowMs);
  start.float64(request.oldestMs);
  start.uint32(request.acceptedSpans);
  start.uint32(request.mostScores);
  start.string(JSON.stringify([...request.passThresholds]));
  start.uint32(request.body.length);
  return Buffer.concat([start.finish(), request.body]);
}

function startRecord(format: number, tenant: IngestTenant, told: ToldHead, firstVersion: number): RowWriter {
  const start = new RowWriter(256);
  start.uint8(format);
  start.uuid(tenant.projectId);
  start.uuid(tenant.organizationId);
  start.uint32(told.countedEvents);
  start.string(told.month);
  start.uint32(told.events);
  start.uint32(told.spanCount);
  start.uint64(told.receivedMs);
  start.uint64(firstVersion + told.events - 1);
  start.string(told.bodyDigest);
  return start;
}

/** Reads the head of a record alone: enough to know what waits in the log. */
export function decodeLogRecordHead(bytes: Uint8Array): LogRecordHead {
  return readHead(new RowReader(bytes)).head;
}

/** Reads a whole record. Throws a RangeError when it is cut short, an Error when a newer release wrote it. */
export function decodeLogRecord(bytes: Uint8Array): LogRecord {
  const reader = new RowReader(bytes);
  const { head, format } = readHead(reader);
  if (format === otlpFormat) return { ...head, otlp: readOtlpRequest(reader) };
  const spanBytes = reader.uint32();
  const scoreBytes = reader.uint32();
  return { ...head, rows: { spanRows: reader.raw(spanBytes), scoreRows: reader.raw(scoreBytes) } };
}

function readOtlpRequest(reader: RowReader): OtlpRequest {
  const contentEncoding = reader.string();
  const encoding = reader.string() as OtlpRequest['encoding'];
  const request = {
    contentEncoding,
    encoding,
    inflatedBytes: reader.uint32(),
    nowMs: reader.uint64(),
    oldestMs: reader.float64(),
    acceptedSpans: reader.uint32(),
    mostScores: reader.uint32(),
    passThresholds: new Map(JSON.parse(reader.string()) as Array<[string, number]>),
  };
  const body = reader.raw(reader.uint32());
  return { ...request, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

/** What a row takes besides what its span came with: what it has in common with others is repeated in it. */
const bytesOfColumns = 2_048;

/** About how many bytes the rows of a record take in memory. */
export function sizeOfRows(record: LogRecord): number {
  if ('rows' in record) return record.rows.spanRows.length + record.rows.scoreRows.length;
  return record.otlp.inflatedBytes * 2 + record.otlp.acceptedSpans * bytesOfColumns;
}

function readHead(reader: RowReader): { head: LogRecordHead; format: number } {
  const written = reader.uint8();
  const format = oldFormats.get(written) ?? written;
  if (format !== rowsFormat && format !== otlpFormat) {
    throw new Error(`the log holds a record of format ${written}; this release reads formats up to ${otlpFormat}`);
  }
  const head = {
    projectId: reader.uuid(),
    organizationId: reader.uuid(),
    countedEvents: reader.uint32(),
    month: reader.string(),
    events: reader.uint32(),
    spanCount: reader.uint32(),
    receivedMs: reader.uint64(),
    maxVersion: reader.uint64(),
    bodyDigest: written === format ? reader.string() : '',
  };
  return { head, format };
}

/** The version of a record's first row. */
export function firstVersionOf({ maxVersion, events }: LogRecordHead): number {
  return maxVersion - events + 1;
}
