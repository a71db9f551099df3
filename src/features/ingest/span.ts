import type { CostStatus, SpanKind } from '../../contract/kinds.ts';

/**
 * One span as it is stored, whichever endpoint or convention it came by. Texts use `''` for "left out", numbers use
 * `null`; nothing is made up (contract section 3).
 *
 * A native `trace` event is stored as a record of the same shape with `spanId` `''`: it replaces an earlier one of the
 * same trace the way a span does, and one look-up by trace finds the trace's own record and its spans together.
 */
export interface SpanRecord {
  traceId: string;
  /** `''` only for the trace's own record. */
  spanId: string;
  /** `''` for a root. */
  parentSpanId: string;
  name: string;
  kind: SpanKind;
  /** Nanoseconds since the epoch, exact. */
  startNs: bigint;
  /** Nanoseconds since the epoch; null while the span runs. */
  endNs: bigint | null;
  /** `''`: the client said nothing. */
  status: '' | 'ok' | 'error';
  /** Never `''` when `status` is `error` (then at least `unknown`). */
  errorCode: string;
  errorMessage: string;
  /** The response model if recorded, else the requested one, exactly as recorded. */
  model: string;
  requestModel: string;
  provider: string;
  /** The span's own; the nearest agent ancestor's is worked out per trace, when the whole trace is looked at. */
  agentName: string;
  operation: string;
  sessionId: string;
  userId: string;
  environment: string;
  release: string;
  service: string;
  promptName: string;
  promptVersion: string;
  tags: readonly string[];
  /** The whole input: cached and cache-write tokens are inside it. */
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  costUsd: number | null;
  costStatus: CostStatus;
  timeToFirstTokenMs: number | null;
  source: 'native' | 'otlp';
  scopeName: string;
  /** JSON text, `''` when absent. */
  input: string;
  /** JSON text, `''` when absent. */
  output: string;
  /** JSON text of an object, `''` when absent. */
  metadata: string;
  /** JSON text of an object: every attribute as it came; `''` when there were none. */
  attributes: string;
  /** JSON text of an object with what else OTLP carries: `resource`, `scope`, `events`, `links`, `traceState`; `''` when native. */
  extra: string;
}

/** One score as it is stored (contract section 3, type `score`). */
export interface ScoreRecord {
  scoreId: string;
  /** `''` for a session's score. */
  traceId: string;
  /** `''` for a trace's or a session's score. */
  spanId: string;
  sessionId: string;
  evaluator: string;
  score: number;
  passed: boolean | null;
  label: string;
  comment: string;
  /** The score's own model, `''` when left out. */
  model: string;
  timestampMs: number;
  source: 'native' | 'otlp' | 'api' | 'evaluator' | 'annotation';
  /** JSON text, `''` when absent. */
  metadata: string;
  /** It takes the score of this id away. */
  withdrawn?: true;
}

/** The events of one accepted request, before they are given versions and written to the log. */
export interface IngestBatch {
  spans: SpanRecord[];
  scores: ScoreRecord[];
}
