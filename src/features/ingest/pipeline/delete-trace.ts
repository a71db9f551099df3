import { RowWriter } from '../../../platform/row-binary/index.ts';
import type { ClickHouse, RowLayout } from '../../../platform/clickhouse/index.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import type { BatchWriterOptions } from './batch-writer.ts';
import { DerivedRows } from './derived-rows.ts';
import { storedScores, storedSpans } from './stored-outlines.ts';
import { viewTrace } from './trace-view.ts';

const mostRounds = 1_000;

function tombstoneLayout(id: 'span_id' | 'score_id', time: string): RowLayout {
  return [
    ['project_id', 'UUID'],
    ['trace_id', 'String'],
    [id, 'String'],
    ['version', 'UInt64'],
    ['is_deleted', 'UInt8'],
    ['start_time', time],
  ];
}

/**
 * Deletes a trace with its spans and scores: tombstones replace its rows in every table, so that it leaves every read and figure
 * at once, and the payloads are deleted in the background.
 *
 * @param version above that of every row of the trace
 * @param begin called before anything is written, with the version of the tombstones
 * @returns false when nothing of it is stored
 */
export async function deleteTrace(
  options: BatchWriterOptions,
  projectId: string,
  traceId: string,
  version: number,
  begin: (version: number) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  await options.builder.forget(projectId, traceId);
  let found = false;
  // A look-up brings back so many spans at most; those behind them are seen once tombstones hide the first.
  const more = () => deleteStored(options, { projectId, traceId, version, below: Number.POSITIVE_INFINITY, begin });
  for (let round = 0; round < mostRounds && (await more()); round++) found = true;
  if (found) await deletePayloads(options.clickhouse, projectId, traceId, version);
  return found;
}

/**
 * Does a deletion that was cut short once more, from its beginning.
 *
 * @param version of its tombstones; rows of this version and above came after it and stay
 */
export async function finishDeletion(
  options: BatchWriterOptions,
  projectId: string,
  traceId: string,
  version: number,
): Promise<void> {
  await options.builder.forget(projectId, traceId);
  const more = () => deleteStored(options, { projectId, traceId, version, below: version, begin: () => Promise.resolve() });
  for (let round = 0; round < mostRounds && (await more()); round++);
  await deletePayloads(options.clickhouse, projectId, traceId, version);
}

interface Deletion {
  projectId: string;
  traceId: string;
  version: number;
  /** Rows of this version and above stay. */
  below: number;
  begin(version: number): Promise<void>;
}

/** Deletes what one look-up finds; false when that is nothing. */
async function deleteStored(
  { clickhouse, markHours, notes }: BatchWriterOptions,
  { projectId, traceId, version, below, begin }: Deletion,
): Promise<boolean> {
  const allSpans = (await storedSpans(clickhouse, projectId, [traceId])).get(traceId) ?? [];
  const allScores = (await storedScores(clickhouse, projectId, [traceId])).get(traceId) ?? [];
  const spans = allSpans.filter((span) => span.version < below);
  const scores = allScores.filter((score) => score.version < below);
  const [firstSpan, firstScore] = [spans[0], scores[0]];
  if (!firstSpan && !firstScore) return false;
  // A row of a later version cannot be deleted by this one: it was written by another replica meanwhile.
  const above = [...spans, ...scores].reduce((highest, row) => Math.max(highest, row.version + 1), version);
  await begin(above);
  // Of derived rows those of whoever looked last count.
  const derived = new DerivedRows(Math.max(above, (await notes?.begin())?.version ?? 0));
  const before = viewTrace(allSpans, allScores);
  const after = viewTrace(
    allSpans.filter((span) => span.version >= below),
    allScores.filter((score) => score.version >= below),
  );
  derived.add(projectId, traceId, before, after);
  derived.addQuality(projectId, before.quality, after.quality);
  const token = `delete-${projectId}-${traceId}-${above}-${firstSpan?.spanId ?? firstScore?.scoreId}`;
  await markHours(derived.hours());
  for (const insert of derived.inserts(token)) {
    await clickhouse.insertRows(insert);
    reachFailpoint('deletion-derived');
  }
  const spanRows = new RowWriter();
  for (const span of spans) writeTombstone(spanRows, span, span.spanId, above, span.startNs);
  const scoreRows = new RowWriter();
  for (const score of scores) writeTombstone(scoreRows, score, score.scoreId, above, BigInt(score.timestampMs));
  await insert(clickhouse, 'spans', tombstoneLayout('span_id', 'DateTime64(9)'), spanRows, `${token}-spans`);
  await insert(clickhouse, 'scores', tombstoneLayout('score_id', 'DateTime64(3)'), scoreRows, `${token}-scores`);
  reachFailpoint('deletion-written');
  await markHours(derived.hours());
  reachFailpoint('deletion-marked');
  return true;
}

/** Frees what the tombstones stand for, in the background: parts of an old month may never be merged again. */
async function deletePayloads(clickhouse: ClickHouse, projectId: string, traceId: string, version: number): Promise<void> {
  for (const table of ['spans', 'scores', 'traces']) {
    const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
    await clickhouse.command(
      `ALTER TABLE ${target} DELETE WHERE project_id = {project:UUID} AND trace_id = {trace:String} AND version < {version:UInt64}`,
      { project: projectId, trace: traceId, version },
    );
  }
}

function writeTombstone(
  rows: RowWriter,
  row: { projectId: string; traceId: string },
  id: string,
  version: number,
  time: bigint,
): void {
  rows.uuid(row.projectId);
  rows.string(row.traceId);
  rows.string(id);
  rows.uint64(version);
  rows.uint8(1);
  rows.int64(time);
}

async function insert(clickhouse: ClickHouse, table: string, layout: RowLayout, rows: RowWriter, token: string): Promise<void> {
  if (rows.length > 0) await clickhouse.insertRows({ table, layout, bytes: [rows.finish()], token });
}
