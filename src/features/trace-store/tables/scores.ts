import { Table } from '../../../platform/tables/index.ts';
import { blankScore } from '../../records/index.ts';
import type { ScoreRecord } from '../../records/index.ts';

/** Table `scores`: a row is one version of a score. The header has what a figure depends on. */
export const scores = new Table({
  name: 'scores',
  timeColumn: 'start_time',
  layoutVersion: 2,
  blank: blankScore,
  tombstone: {
    columns: ['project_id', 'trace_id', 'score_id', 'version', 'is_deleted', 'start_time'],
    row: (key: Pick<ScoreRecord, 'traceId' | 'scoreId' | 'timestampMs'>): ScoreRecord => ({
      ...blankScore,
      traceId: key.traceId,
      scoreId: key.scoreId,
      timestampMs: key.timestampMs,
    }),
  },
  columns: (to, stamp, score) => {
    const projectId = to.uuid('project_id', stamp.projectId);
    const traceId = to.string('trace_id', score.traceId);
    const scoreId = to.string('score_id', score.scoreId);
    const version = to.uint64('version', stamp.version);
    const withdrawn = to.boolean('is_deleted', stamp.deleted);
    const spanId = to.string('span_id', score.spanId);
    to.text('session_id', score.sessionId);
    const header = {
      projectId,
      traceId,
      scoreId,
      version,
      withdrawn,
      spanId,
      evaluator: to.string('evaluator', score.evaluator),
      score: to.float64('score', score.score),
      passed: to.nullableBoolean('passed', score.passed),
      model: to.string('model', score.model),
      timestampMs: to.milliseconds('start_time', score.timestampMs),
    };
    to.text('label', score.label);
    to.text('comment', score.comment);
    to.text('source', score.source);
    to.payload('metadata', score.metadata);
    return {
      ...header,
      scaleMin: to.since(2).float64('scale_min', score.scaleMin),
      scaleMax: to.since(2).float64('scale_max', score.scaleMax),
      isQuality: to.since(2).boolean('is_quality', score.isQuality),
    };
  },
});

export type ScoreHeader = ReturnType<typeof scores.parse>;
