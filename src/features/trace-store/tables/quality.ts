import { Table } from '../../../platform/tables/index.ts';
import type { Quality } from '../derivation/trace-view.ts';
import { scores } from './scores.ts';
import type { ScoreHeader } from './scores.ts';

const blank: Quality = { hour: 0, score: scores.blankHeader, model: '' };

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
  layoutVersion: 2,
  blank,
  tombstone: {
    columns: ['project_id', 'hour', 'score_id', 'version', 'is_deleted', 'start_time', 'trace_id'],
    row: ({ hour, score }: QualityKey): Quality => ({ ...blank, hour, score: { ...blank.score, ...score } }),
  },
  columns: (to, stamp, { hour, score, model }) => {
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
  },
});
