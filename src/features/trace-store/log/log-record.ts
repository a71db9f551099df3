import { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import { decodeOwnPrices, encodeOwnPrices, noOwnPrices } from '../../pricing/index.ts';
import type { IngestBatch } from '../../records/index.ts';
import type { IngestTenant, OtlpRequest } from '../pipeline-port.ts';
import { readContents, writeContents, writeRows } from './record-rows.ts';
import type { RowsContents, TableRowsInLog } from './record-rows.ts';

/**
 * One accepted request in the log: its tenant, its counts, and its rows, or, for OTLP, the request itself. For OTLP the rows are made when the batch
 * is built: the request has a tenth of their size, and validating it takes a third of the time.
 */
export type LogRecord = LogRecordHead & ({ rows: TableRowsInLog[] } | { otlp: OtlpRequest });

export interface LogRecordHead extends IngestTenant {
  /** Events that count against the quota of `month`. */
  quotaCount: number;
  /** First day of its calendar month (UTC), `YYYY-MM-01`. */
  month: string;
  /** Number of spans, trace records and scores; guardrail activity and outcomes are not counted. */
  eventCount: number;
  /** Number of spans among them, without trace records and spans of simulations. */
  spanCount: number;
  /** When it was accepted, epoch milliseconds. */
  receivedMs: number;
  /** SHA-256 (base64) of the tenant and the body: the same body counts once, on any replica. `''` for events without a body. */
  bodyDigest: string;
  maxVersion: number;
}

/** Rows, with the layout version of each table. */
const rowsFormat = 5;
/** An OTLP request. */
const otlpFormat = 6;

interface Format {
  body: 'rows' | 'otlp';
  digest: boolean;
  /** Rows: whether the tables and layouts are named. Without, they are spans and scores in layout 1. */
  contents?: boolean;
  /** An OTLP request: whether it has the project's own prices. */
  prices?: boolean;
}

/** The contents of each record format, of earlier releases too. */
const formats: ReadonlyMap<number, Format> = new Map<number, Format>([
  [1, { body: 'rows', digest: false }],
  [2, { body: 'otlp', digest: false }],
  [3, { body: 'rows', digest: true }],
  [4, { body: 'otlp', digest: true }],
  [rowsFormat, { body: 'rows', digest: true, contents: true }],
  [otlpFormat, { body: 'otlp', digest: true, prices: true }],
]);
const newestFormat = Math.max(...formats.keys());

type HeadCounts = Pick<LogRecordHead, 'quotaCount' | 'month' | 'receivedMs' | 'bodyDigest' | 'spanCount' | 'eventCount'>;

/**
 * Encodes a batch. Every row has its own version, from `firstVersion` on, in the order of the body: of two rows of the same span the later
 * one wins.
 */
export function encodeLogRecord(tenant: IngestTenant, batch: IngestBatch, counts: HeadCounts, firstVersion: number): Uint8Array {
  const { rows } = writeRows(new RowWriter(64 * 1024), (writer) => writer.finish(), tenant.projectId, batch, firstVersion);
  const start = startRecord(rowsFormat, tenant, counts, firstVersion + rowCountOf(batch) - 1);
  writeContents(start, rows);
  return Buffer.concat([start.finish(), ...rows.map(({ bytes }) => bytes)]);
}

/** The rows of a batch, each of which has a version. */
export function rowCountOf({ spans, scores, guardrailActivity = [], outcomes = [] }: IngestBatch): number {
  return spans.length + scores.length + guardrailActivity.length + outcomes.length;
}

/** Encodes a validated OTLP request; its rows will have the versions from `firstVersion` on. */
export function encodeOtlpRecord(
  tenant: IngestTenant,
  request: OtlpRequest,
  counts: HeadCounts,
  firstVersion: number,
): Uint8Array {
  const start = startRecord(otlpFormat, tenant, counts, firstVersion + counts.eventCount - 1);
  start.string(request.contentEncoding);
  start.string(request.encoding);
  start.uint32(request.inflatedBytes);
  start.uint64(request.nowMs);
  start.float64(request.oldestMs);
  start.uint32(request.spanCount);
  start.uint32(request.maxScores);
  start.string(JSON.stringify([...request.passThresholds]));
  start.string(encodeOwnPrices(request.ownPrices));
  start.uint32(request.body.length);
  return Buffer.concat([start.finish(), request.body]);
}

function startRecord(format: number, tenant: IngestTenant, counts: HeadCounts, maxVersion: number): RowWriter {
  const start = new RowWriter(256);
  start.uint8(format);
  start.uuid(tenant.projectId);
  start.uuid(tenant.organizationId);
  start.uint32(counts.quotaCount);
  start.string(counts.month);
  start.uint32(counts.eventCount);
  start.uint32(counts.spanCount);
  start.uint64(counts.receivedMs);
  start.uint64(maxVersion);
  start.string(counts.bodyDigest);
  return start;
}

/** Reads only the head of a record, with the counts of the events in it. */
export function decodeLogRecordHead(bytes: Uint8Array): LogRecordHead {
  return readHead(new RowReader(bytes)).head;
}

/** Reads a whole record. Throws a RangeError when it is truncated, an Error when a newer release wrote it. */
export function decodeLogRecord(bytes: Uint8Array): LogRecord {
  const reader = new RowReader(bytes);
  const { head, contents, format } = readHead(reader);
  if (contents === null) return { ...head, otlp: readOtlpRequest(reader, format) };
  return {
    ...head,
    rows: contents.map(({ table, layoutVersion, length }) => ({ table, layoutVersion, bytes: reader.raw(length) })),
  };
}

function readOtlpRequest(reader: RowReader, { prices = false }: Format): OtlpRequest {
  const contentEncoding = reader.string();
  const encoding = reader.string() as OtlpRequest['encoding'];
  const request = {
    contentEncoding,
    encoding,
    inflatedBytes: reader.uint32(),
    nowMs: reader.uint64(),
    oldestMs: reader.float64(),
    spanCount: reader.uint32(),
    maxScores: reader.uint32(),
    passThresholds: new Map(JSON.parse(reader.string()) as Array<[string, number]>),
    ownPrices: prices ? decodeOwnPrices(reader.string()) : noOwnPrices,
  };
  const body = reader.raw(reader.uint32());
  return { ...request, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

/** Approximate bytes of a row beyond its span in the request: shared values, such as the resource, are repeated in every row. */
const bytesOfColumns = 2_048;

/** Approximate size in memory of the rows of a record, in bytes. */
export function sizeOfRows(record: LogRecord): number {
  if ('rows' in record) return record.rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return record.otlp.inflatedBytes * 2 + record.otlp.spanCount * bytesOfColumns;
}

/** `contents` is null for an OTLP request. */
function readHead(reader: RowReader): { head: LogRecordHead; contents: RowsContents | null; format: Format } {
  const number = reader.uint8();
  const format = formats.get(number);
  if (!format) throw new Error(`the log holds a record of format ${number}; this release reads formats up to ${newestFormat}`);
  const head = {
    projectId: reader.uuid(),
    organizationId: reader.uuid(),
    quotaCount: reader.uint32(),
    month: reader.string(),
    eventCount: reader.uint32(),
    spanCount: reader.uint32(),
    receivedMs: reader.uint64(),
    maxVersion: reader.uint64(),
    bodyDigest: format.digest ? reader.string() : '',
  };
  if (format.body === 'otlp') return { head, contents: null, format };
  if (format.contents) return { head, contents: readContents(reader), format };
  const [spans, scores] = [reader.uint32(), reader.uint32()];
  return {
    head,
    format,
    contents: [
      { table: 'spans', layoutVersion: 1, length: spans },
      { table: 'scores', layoutVersion: 1, length: scores },
    ],
  };
}

/** The version of the first row of an OTLP request. */
export function firstVersionOf({ maxVersion, eventCount }: LogRecordHead): number {
  return maxVersion - eventCount + 1;
}
