import type { GuardrailActivityRecord } from './guardrail-activity.ts';
import type { OutcomeRecord } from './outcome.ts';
import type { ScoreRecord } from './score.ts';
import type { SpanRecord } from './span.ts';

/** The events of one accepted request, before they have versions and are written to the log. */
export interface IngestBatch {
  spans: SpanRecord[];
  scores: ScoreRecord[];
  /** No events: they count neither against the quota nor in the ingest health. */
  guardrailActivity?: readonly GuardrailActivityRecord[];
  /** No events either. */
  outcomes?: readonly OutcomeRecord[];
}
