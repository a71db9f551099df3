import type { CostStatus, SpanKind } from '../../contract/kinds.ts';
import type { SpanOrigin } from './span-origin.ts';

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
  /** The agent name that was sent with the span. One that is inherited, or taken from the name of an agent's span, is derived from the whole trace. */
  agentName: string;
  /** `''` where nothing names it and the kind, which is then inferred from the model: the answer has the kind. */
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
  /** Tokens of further classes, inside the input or the output: JSON text of an object of counts; `''` when absent. */
  usageDetails: string;
  costUsd: number | null;
  costStatus: CostStatus;
  timeToFirstTokenMs: number | null;
  source: 'native' | 'otlp';
  /** What it was made for; `''` in spans of earlier releases, of which `originOf` tells. */
  origin: SpanOrigin | '';
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

/** A span of which only defaults are known. */
export const blankSpan: SpanRecord = {
  traceId: '',
  spanId: '',
  parentSpanId: '',
  name: '',
  kind: 'span',
  startNs: 0n,
  endNs: null,
  status: '',
  errorCode: '',
  errorMessage: '',
  model: '',
  requestModel: '',
  provider: '',
  agentName: '',
  operation: '',
  sessionId: '',
  userId: '',
  environment: '',
  release: '',
  service: '',
  promptName: '',
  promptVersion: '',
  promptVersionType: '',
  responseId: '',
  traceName: '',
  toolName: '',
  tags: [],
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  usageDetails: '',
  costUsd: null,
  costStatus: 'unpriced',
  timeToFirstTokenMs: null,
  source: 'native',
  origin: '',
  scopeName: '',
  input: '',
  output: '',
  metadata: '',
  attributes: '',
  extra: '',
};
