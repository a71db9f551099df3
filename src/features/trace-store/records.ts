import type { CostStatus, SpanKind } from '../../contract/kinds.ts';

/**
 * One span as it is stored, from any endpoint and convention. A field that was left out is `''` for texts and `null` for numbers
 * (docs/semantics.md, "Native events").
 *
 * A native `trace` event is stored as a record of the same shape with `spanId` `''`: it replaces an earlier one of the same trace as a span
 * does, and one look-up by trace finds the trace's own record and its spans.
 */
export interface SpanRecord {
  traceId: string;
  /** `''` for the trace's own record. */
  spanId: string;
  /** `''` for a root. */
  parentSpanId: string;
  name: string;
  kind: SpanKind;
  /** Nanoseconds since the epoch, exact. */
  startNs: bigint;
  /** Nanoseconds since the epoch; null while the span runs. */
  endNs: bigint | null;
  /** `''` when left out. */
  status: '' | 'ok' | 'error';
  /** Never `''` when `status` is `error` (then at least `unknown`). */
  errorCode: string;
  errorMessage: string;
  /** The response model if it was sent, else the requested one, unchanged. */
  model: string;
  requestModel: string;
  provider: string;
  /** The span's own agent name; that of the nearest agent ancestor is derived from the whole trace. */
  agentName: string;
  operation: string;
  sessionId: string;
  userId: string;
  environment: string;
  release: string;
  service: string;
  promptName: string;
  promptVersion: string;
  /** `number` when the client sent the version as a JSON number, which is how it is answered; else `''`. */
  promptVersionType: '' | 'number';
  /** The id that the model's server gave the response; `''` when left out. */
  responseId: string;
  /** The name that the client gave the trace; `''` when left out. */
  traceName: string;
  /** The name of the tool that a span of kind `tool` runs, where it was sent apart from the span's name; else `''`. */
  toolName: string;
  tags: readonly string[];
  /** Whole input, including cached and cache-write tokens. */
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
  /** JSON text of an object: every attribute as it was sent; `''` when there were none. */
  attributes: string;
  /** JSON text of an object with the other parts of OTLP: `resource`, `scope`, `events`, `links`, `traceState`; `''` for native spans. */
  extra: string;
}

/** One score as it is stored (docs/semantics.md, "Native events"). */
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
  /** Lowest and highest value of the scale that it was given on; figures over several evaluators use (score - min) / (max - min). */
  scaleMin: number;
  scaleMax: number;
  /** Whether it counts in figures over several evaluators (docs/semantics.md, "Quality"). */
  isQuality: boolean;
  /** Withdraws the score with this id. */
  withdrawn?: true;
}

type ScoreScale = Pick<ScoreRecord, 'scaleMin' | 'scaleMax' | 'isQuality'>;

/**
 * The fields of a score by the scale of its evaluator.
 *
 * @param scale lowest and highest score; null for an evaluator that does not measure quality
 */
export function scaleFields(scale: readonly [number, number] | null): ScoreScale {
  return scale === null ? { ...countsAsItIs, isQuality: false } : { scaleMin: scale[0], scaleMax: scale[1], isQuality: true };
}

/** The fields of a score by an application or a user, which counts as it is. */
export const countsAsItIs: ScoreScale = { scaleMin: 0, scaleMax: 1, isQuality: true };

/** Results of one guardrail in a {@link GuardrailActivityRecord}. */
export interface GuardrailCounts {
  /** Slug. */
  guardrail: string;
  /** `''` when it is not known. */
  type: string;
  /** Results of every action. */
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  failed: number;
  /** Milliseconds of the results that were measured, in any order. */
  latencies: readonly number[];
}

/** Guardrail checks of one moment, stage and environment (docs/semantics.md, "Guardrail activity"). */
export interface GuardrailActivityRecord {
  /** A record with the same id replaces it. */
  activityId: string;
  atMs: number;
  stage: 'input' | 'output';
  /** `''` when the check named none. */
  environment: string;
  /** Checks, and how many of them had each action. */
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  /** Checks in which a guardrail failed. */
  failed: number;
  guardrails: readonly GuardrailCounts[];
}

/** One business outcome of a trace as it is stored (docs/semantics.md, "Outcomes"). */
export interface OutcomeRecord {
  /** An outcome with the same id replaces it. */
  outcomeId: string;
  traceId: string;
  kind: string;
  /** Epoch milliseconds. */
  occurredMs: number;
  /** In {@link OutcomeRecord.currency}; null when it was left out. */
  value: number | null;
  /** ISO 4217 code. */
  currency: string;
  /** null when it was left out. */
  success: boolean | null;
  /** `''` when it was left out. */
  idempotencyKey: string;
  /** JSON text of an object, `''` when absent. */
  metadata: string;
}

/** The events of one accepted request, before they have versions and are written to the log. */
export interface IngestBatch {
  spans: SpanRecord[];
  scores: ScoreRecord[];
  /** No events: they count neither against the quota nor in the ingest health. */
  guardrailActivity?: readonly GuardrailActivityRecord[];
  /** No events either. */
  outcomes?: readonly OutcomeRecord[];
}
