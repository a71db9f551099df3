import type { RowLayout } from '../../../platform/clickhouse/index.ts';
import type { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import type { ScoreRecord } from '../span.ts';

/** The columns of table `scores` in the order in which {@link writeScoreRow} writes them. */
export const scoreLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['trace_id', 'String'],
  ['score_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['span_id', 'String'],
  ['session_id', 'String'],
  ['evaluator', 'String'],
  ['score', 'Float64'],
  ['passed', 'Nullable(UInt8)'],
  ['model', 'String'],
  ['start_time', 'DateTime64(3)'],
  ['label', 'String'],
  ['comment', 'String'],
  ['source', 'String'],
  ['metadata', 'String'],
];

/** What a figure depends on of a score. */
export interface ScoreOutline {
  projectId: string;
  traceId: string;
  scoreId: string;
  version: number;
  /** This version takes the score away. */
  withdrawn: boolean;
  spanId: string;
  evaluator: string;
  score: number;
  passed: number | null;
  model: string;
  timestampMs: number;
}

/** Writes one row of table `scores`. */
export function writeScoreRow(writer: RowWriter, projectId: string, version: number, score: ScoreRecord): void {
  writer.uuid(projectId);
  writer.string(score.traceId);
  writer.string(score.scoreId);
  writer.uint64(version);
  writer.uint8(Number(score.withdrawn ?? false));
  writer.string(score.spanId);
  writer.string(score.sessionId);
  writer.string(score.evaluator);
  writer.float64(score.score);
  writer.nullableUint8(score.passed === null ? null : Number(score.passed));
  writer.string(score.model);
  writer.int64(BigInt(score.timestampMs));
  writer.string(score.label);
  writer.string(score.comment);
  writer.string(score.source);
  writer.string(score.metadata);
}

/** The outline of a score whose row is {@link writeScoreRow}'s: what {@link readScoreOutline} reads back from it. */
export function scoreOutline(projectId: string, version: number, score: ScoreRecord): ScoreOutline {
  const { traceId, scoreId, spanId, evaluator, model, timestampMs } = score;
  const passed = score.passed === null ? null : Number(score.passed);
  const withdrawn = score.withdrawn ?? false;
  return { projectId, traceId, scoreId, version, spanId, evaluator, score: score.score, passed, model, timestampMs, withdrawn };
}

/** Reads a row that {@link writeScoreRow} wrote, passing over the texts. */
export function readScoreOutline(reader: RowReader): ScoreOutline {
  const projectId = reader.uuid();
  const traceId = reader.string();
  const scoreId = reader.string();
  const version = reader.uint64();
  const withdrawn = reader.uint8() === 1;
  const spanId = reader.string();
  reader.skipString();
  const outline: ScoreOutline = {
    projectId,
    traceId,
    scoreId,
    version,
    withdrawn,
    spanId,
    evaluator: reader.string(),
    score: reader.float64(),
    passed: reader.nullableUint8(),
    model: reader.string(),
    timestampMs: Number(reader.int64()),
  };
  for (let text = 0; text < 4; text++) reader.skipString();
  return outline;
}
