import { RowWriter } from '../../../platform/row-binary/index.ts';
import type { RowReader } from '../../../platform/row-binary/index.ts';
import type { IngestBatch } from '../../records/index.ts';
import { guardrailActivity } from '../tables/guardrail-activity.ts';
import { outcomes } from '../tables/outcomes.ts';
import { scores } from '../tables/scores.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { loggedTables } from '../tables/trace-tables.ts';
import type { LoggedTable } from '../tables/trace-tables.ts';

/** Rows of one table in ClickHouse's RowBinary format, in a layout of the table's description. */
export interface TableRowsInLog {
  table: LoggedTable;
  layoutVersion: number;
  bytes: Uint8Array;
}

/** A batch's rows in the current layouts, and their headers. */
export interface WrittenRows {
  rows: TableRowsInLog[];
  spans: SpanHeader[];
  scores: ScoreHeader[];
}

/**
 * Writes the rows of a batch to `writer`, which must be empty, with versions from `firstVersion` on: spans, then scores, then guardrail activity, then outcomes.
 *
 * @param take takes the bytes out of `writer`
 */
export function writeRows(
  writer: RowWriter,
  take: (writer: RowWriter) => Uint8Array,
  projectId: string,
  batch: IngestBatch,
  firstVersion: number,
): WrittenRows {
  let version = firstVersion;
  const writeSpan = spans.writer(writer);
  const spanHeaders = batch.spans.map((span) => writeSpan({ projectId, version: version++, deleted: false }, span));
  const spanBytes = writer.length;
  const writeScore = scores.writer(writer);
  const scoreHeaders = batch.scores.map((score) =>
    writeScore({ projectId, version: version++, deleted: score.withdrawn ?? false }, score),
  );
  const scoresEnd = writer.length;
  const { guardrailActivity: activity = [], outcomes: reported = [] } = batch;
  const writeActivity = guardrailActivity.writer(writer);
  for (const record of activity) writeActivity({ projectId, version: version++, deleted: false }, record);
  const activityEnd = writer.length;
  const writeOutcome = outcomes.writer(writer);
  for (const record of reported) writeOutcome({ projectId, version: version++, deleted: false }, record);
  const bytes = take(writer);
  const rows: TableRowsInLog[] = [
    { table: 'spans', layoutVersion: spans.layoutVersion, bytes: bytes.subarray(0, spanBytes) },
    { table: 'scores', layoutVersion: scores.layoutVersion, bytes: bytes.subarray(spanBytes, scoresEnd) },
  ];
  const further = [
    {
      table: 'guardrail_activity',
      layoutVersion: guardrailActivity.layoutVersion,
      bytes: bytes.subarray(scoresEnd, activityEnd),
    },
    { table: 'outcomes', layoutVersion: outcomes.layoutVersion, bytes: bytes.subarray(activityEnd) },
  ] as const;
  rows.push(...further.filter((table) => table.bytes.length > 0));
  return { rows, spans: spanHeaders, scores: scoreHeaders };
}

/** Reads the rows of a log record, and rewrites those of older layouts in the current one. Throws a RangeError when they are truncated. */
export function readRows(rows: readonly TableRowsInLog[]): WrittenRows {
  const current = rows.map(({ table, layoutVersion, bytes }) => ({
    table,
    layoutVersion: loggedTables[table].layoutVersion,
    bytes: loggedTables[table].upgrade(bytes, layoutVersion),
  }));
  const bytesOf = (wanted: LoggedTable) => current.filter(({ table }) => table === wanted).map(({ bytes }) => bytes);
  return {
    rows: current,
    spans: bytesOf('spans').flatMap((bytes) => spans.readHeaders(bytes)),
    scores: bytesOf('scores').flatMap((bytes) => scores.readHeaders(bytes)),
  };
}

/** Writes the table, the layout version and the length of each table's rows, which follow in the record. */
export function writeContents(to: RowWriter, rows: readonly TableRowsInLog[]): void {
  to.uint8(rows.length);
  for (const { table, layoutVersion, bytes } of rows) {
    to.string(table);
    to.uint32(layoutVersion);
    to.uint32(bytes.length);
  }
}

export type RowsContents = ReadonlyArray<{ table: LoggedTable; layoutVersion: number; length: number }>;

/** Reads the output of {@link writeContents}. Throws an Error when a newer release wrote the rows. */
export function readContents(reader: RowReader): RowsContents {
  return Array.from({ length: reader.uint8() }, () => {
    const table = reader.string();
    const layoutVersion = reader.uint32();
    if (!isLogged(table) || layoutVersion > loggedTables[table].layoutVersion) {
      throw new Error(`the log holds rows of table ${table} in layout ${layoutVersion}, which this release does not know`);
    }
    return { table, layoutVersion, length: reader.uint32() };
  });
}

function isLogged(table: string): table is LoggedTable {
  return Object.hasOwn(loggedTables, table);
}
