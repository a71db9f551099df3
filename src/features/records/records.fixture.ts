import { blankScore } from './score.ts';
import type { OutcomeRecord } from './outcome.ts';
import type { ScoreRecord } from './score.ts';
import { blankSpan } from './span.ts';
import type { SpanRecord } from './span.ts';

/** A span of trace `t1` with all other fields empty, for tests to fill in. */
export const emptySpan: SpanRecord = { ...blankSpan, traceId: 't1', spanId: 'a', name: 'span' };

/** A score of trace `t1`, for tests to fill in. */
export const emptyScore: ScoreRecord = { ...blankScore, scoreId: 's1', traceId: 't1', evaluator: 'helpful', score: 1 };

/** An outcome of trace `t1`, for tests to fill in. */
export const emptyOutcome: OutcomeRecord = {
  outcomeId: 'o1',
  traceId: 't1',
  kind: 'order',
  occurredMs: 0,
  value: null,
  currency: 'USD',
  success: null,
  idempotencyKey: '',
  metadata: '',
};
