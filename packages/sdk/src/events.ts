/** What a span did. */
export type SpanKind = 'llm' | 'embedding' | 'agent' | 'tool' | 'retriever' | 'chain' | 'guardrail' | 'evaluator' | 'span';

/** Tokens of a call, each a whole number from 0. */
export interface TokenUsage {
  /** All input tokens, cached ones included. */
  inputTokens?: number | null | undefined;
  /** All output tokens, reasoning included. */
  outputTokens?: number | null | undefined;
  /** Input tokens read from the provider's cache. */
  cachedTokens?: number | null | undefined;
  /** Input tokens written to the provider's cache. */
  cacheWriteTokens?: number | null | undefined;
  reasoningTokens?: number | null | undefined;
  /** Tokens of further classes, inside the input or the output: `inputAudio`, `outputAudio`, `inputImage`, `outputImage`, `cachedAudio`, `cacheWrite5m`, `cacheWrite1h`, or a name of your own. */
  details?: Readonly<Record<string, number>> | null | undefined;
}

/** Fields of spans and traces. Names take at most 4,096 characters. */
interface Described {
  sessionId?: string | null | undefined;
  userId?: string | null | undefined;
  environment?: string | null | undefined;
  release?: string | null | undefined;
  /** At most 100, each of 1 to 200 characters. */
  tags?: string[] | null | undefined;
  /** Any value; see `encodeEvent` for those that are not JSON. */
  input?: unknown;
  /** Any value; see `encodeEvent` for those that are not JSON. */
  output?: unknown;
  metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A span of `POST /v1/ingest`. Sent again with the same ids, it replaces the one before. */
export interface SpanEvent extends Described {
  type: 'span';
  /** 1 to 128 of the characters `A-Z a-z 0-9 . _ : -`. */
  traceId: string;
  /** Unique in its trace; 1 to 128 of the characters `A-Z a-z 0-9 . _ : -`. */
  spanId: string;
  parentSpanId?: string | null | undefined;
  name: string;
  kind?: SpanKind | null | undefined;
  /** ISO 8601 with a zone; fractions of a second to the nanosecond. */
  startTime: string;
  /** ISO 8601 with a zone; fractions of a second to the nanosecond. */
  endTime?: string | null | undefined;
  model?: string | null | undefined;
  provider?: string | null | undefined;
  agentName?: string | null | undefined;
  operation?: string | null | undefined;
  usage?: TokenUsage | null | undefined;
  /** US dollars; without it Spanwise prices the call. */
  costUsd?: number | null | undefined;
  /** Milliseconds. */
  timeToFirstTokenMs?: number | null | undefined;
  status?: 'ok' | 'error' | null | undefined;
  errorCode?: string | null | undefined;
  /** At most 1,048,576 characters. */
  errorMessage?: string | null | undefined;
  promptName?: string | null | undefined;
  promptVersion?: string | number | null | undefined;
  /** What the prompt was compiled with, by name. */
  promptVariables?: Readonly<Record<string, unknown>> | null | undefined;
  attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What is known of a trace as a whole. */
export interface TraceEvent extends Described {
  type: 'trace';
  /** 1 to 128 of the characters `A-Z a-z 0-9 . _ : -`. */
  traceId: string;
  name?: string | null | undefined;
  /** ISO 8601 with a zone. */
  timestamp?: string | null | undefined;
}

/** The score of a span, a trace or a session. */
export interface ScoreEvent {
  type: 'score';
  /** With an id a score that is sent again replaces the one before. */
  scoreId?: string | null | undefined;
  traceId?: string | null | undefined;
  spanId?: string | null | undefined;
  sessionId?: string | null | undefined;
  /** A slug such as `answer-relevance`. */
  evaluator: string;
  /** A number from -1e12 to 1e12, or true or false. */
  /** Required without a label. */
  score?: number | boolean | null | undefined;
  passed?: boolean | null | undefined;
  label?: string | null | undefined;
  /** At most 1,048,576 characters. */
  comment?: string | null | undefined;
  model?: string | null | undefined;
  /** ISO 8601 with a zone. */
  timestamp?: string | null | undefined;
}

/** One line of `POST /v1/ingest`. */
export type IngestEvent = SpanEvent | TraceEvent | ScoreEvent;
