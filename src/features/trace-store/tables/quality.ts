import { Table } from '../../../platform/tables/index.ts';
import { scores } from './scores.ts';
import type { ScoreHeader } from './scores.ts';

/** A score with the model that it counts for. */
export interface Quality {
  /** Start of its hour, epoch seconds. */
  hour: number;
  score: ScoreHeader;
  /** `''` when it counts for no model. */
  model: string;
  /** Of the scored span, else of the score's trace. */
  environment: string;
}

const blank: Quality = { hour: 0, score: scores.blankHeader, model: '', environment: '' };

/** The key of a row of `quality`. */
export interface QualityKey {
  /** Start of its hour, epoch seconds. */
  hour: number;
  score: Pick<ScoreHeader, 'traceId' | 'scoreId' | 'timestampMs'>;
}

/** Table `quality`: a row is one score with the model that it counts for. Derived. */
export const quality = new Table({
  name: 'quality',
  timeColumn: 'start_time',
  layoutVersion: 3,
  blank,
  tombstone: {
    columns: ['project_id', 'hour', 'score_id', 'version', 'is_deleted', 'start_time', 'trace_id'],
    row: ({ hour, score }: QualityKey): Quality => ({ ...blank, hour, score: { ...blank.score, ...score } }),
  },
  columns: (to, stamp, { hour, score, model, environment }) => {
    to.uuid('project_id', stamp.projectId);
    to.uint32('hour', hour);
    to.string('score_id', score.scoreId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.milliseconds('start_time', score.timestampMs);
    to.string('trace_id', score.traceId);
    to.string('model', model);
    to.string('evaluator', score.evaluator);
    to.float64('score', score.score);
    to.nullableBoolean('passed', score.passed);
    to.string('span_id', score.spanId);
    to.since(2).float64('scale_min', score.scaleMin);
    to.since(2).float64('scale_max', score.scaleMax);
    to.since(2).boolean('is_quality', score.isQuality);
    to.since(3).string('environment', environment);
  },
});
