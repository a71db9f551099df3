import { RowWriter } from '../../../platform/clickhouse/index.ts';
import type { ClickHouse, RowLayout } from '../../../platform/clickhouse/index.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import { DerivedRows } from './derived-rows.ts';
import { decodeLogRecord } from './log-record.ts';
import type { LogRecord } from './log-record.ts';
import { deriveProjectBatch } from './project-batch.ts';
import type { AbandonedScore } from './project-batch.ts';
import { scoreLayout } from './score-row.ts';
import { spanLayout } from './span-row.ts';

export interface BatchWriterOptions {
  clickhouse: ClickHouse;
  /** Marks hours whose figures change; called before and after the rows are written. */
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

const abandonedLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['trace_id', 'String'],
  ['score_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['start_time', 'DateTime64(3)'],
];

/**
 * Brings one segment of the log into ClickHouse. May be repeated after a crash at any point:
 *
 * 1. the hours whose figures will change are marked, so that reads take their rows instead of the sealed rollups;
 * 2. the derived rows (calls, quality, traces) are written, worked out against what is stored;
 * 3. the spans and scores themselves are written. Only after this would a repetition see them as stored, and by then what is derived
 *    of them is there;
 * 4. the hours are marked again, since the sealing job may have looked between 1 and 3.
 *
 * @param records of the segment, in order
 * @param token names the segment for good: the engine takes each of its inserts once
 * @returns the decoded records, for counting
 */
export async function writeBatch(
  options: BatchWriterOptions,
  records: readonly Uint8Array[],
  token: string,
): Promise<LogRecord[]> {
  const batch = records.map((record) => decodeLogRecord(record));
  const maxVersion = batch.reduce((highest, record) => Math.max(highest, record.maxVersion), 0);
  const derived = new DerivedRows(maxVersion);
  const abandoned: AbandonedScore[] = [];
  for (const [projectId, recordsOfProject] of groupByProject(batch)) {
    const spans = recordsOfProject.flatMap((record) => record.spans);
    const scores = recordsOfProject.flatMap((record) => record.scores);
    abandoned.push(...(await deriveProjectBatch(options.clickhouse, projectId, { spans, scores }, derived)));
  }
  const hours = derived.hours();
  if (hours.length > 0) await options.markHours(hours);
  for (const insert of derived.inserts(token)) await options.clickhouse.insertRows(insert);
  const spanRows = batch.map((record) => record.spanRows).filter((rows) => rows.length > 0);
  if (spanRows.length > 0) {
    await options.clickhouse.insertRows({ table: 'spans', layout: spanLayout, bytes: spanRows, token: `${token}-spans` });
  }
  await writeScores(options.clickhouse, batch, abandoned, maxVersion, token);
  if (hours.length > 0) await options.markHours(hours);
  return batch;
}

async function writeScores(
  clickhouse: ClickHouse,
  batch: readonly LogRecord[],
  abandoned: readonly AbandonedScore[],
  version: number,
  token: string,
): Promise<void> {
  const rows = batch.map((record) => record.scoreRows).filter((bytes) => bytes.length > 0);
  if (rows.length > 0)
    await clickhouse.insertRows({ table: 'scores', layout: scoreLayout, bytes: rows, token: `${token}-scores` });
  if (abandoned.length === 0) return;
  const tombstones = new RowWriter();
  for (const score of abandoned) {
    tombstones.uuid(score.projectId);
    tombstones.string(score.traceId);
    tombstones.string(score.scoreId);
    tombstones.uint64(version);
    tombstones.uint8(1);
    tombstones.int64(BigInt(score.timestampMs));
  }
  await clickhouse.insertRows({
    table: 'scores',
    layout: abandonedLayout,
    bytes: [tombstones.finish()],
    token: `${token}-abandoned`,
  });
}

function groupByProject(records: readonly LogRecord[]): Map<string, LogRecord[]> {
  return Map.groupBy(records, (record) => record.projectId);
}
