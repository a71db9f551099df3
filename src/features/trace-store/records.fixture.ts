import type { ScoreRecord, SpanRecord } from './records.ts';
import { scores } from './tables/scores.ts';
import { spans } from './tables/spans.ts';

/** A span of trace `t1` with all other fields empty, for tests to fill in. */
export const emptySpan: SpanRecord = { ...spans.blank, traceId: 't1', spanId: 'a', name: 'span' };

/** A score of trace `t1`, for tests to fill in. */
export const emptyScore: ScoreRecord = { ...scores.blank, scoreId: 's1', traceId: 't1', evaluator: 'helpful', score: 1 };
