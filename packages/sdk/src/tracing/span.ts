import type { SpanKind, TokenUsage } from '../events.ts';

/** What a span says; each may be left out, and given later. */
export interface SpanFields {
  name?: string | undefined;
  kind?: SpanKind | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  agentName?: string | undefined;
  operation?: string | undefined;
  /** Any value. It is read at once: later changes of it do not matter. */
  input?: unknown;
  /** Any value. It is read at once: later changes of it do not matter. */
  output?: unknown;
  usage?: TokenUsage | undefined;
  /** US dollars; without it Spanwise prices the call. */
  costUsd?: number | undefined;
  timeToFirstTokenMs?: number | undefined;
  status?: 'ok' | 'error' | undefined;
  errorCode?: string | undefined;
  errorMessage?: string | undefined;
  sessionId?: string | undefined;
  userId?: string | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  tags?: string[] | undefined;
  promptName?: string | undefined;
  promptVersion?: string | number | undefined;
  /** What the prompt was compiled with, by name. It is read at once. */
  promptVariables?: Readonly<Record<string, unknown>> | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Where a span belongs: an open span or trace, or its ids. */
export interface SpanParent {
  readonly traceId: string;
  readonly spanId?: string | undefined;
}

export interface SpanOptions extends SpanFields {
  name: string;
  /** Default: the active span. */
  parent?: SpanParent | undefined;
}

export interface TraceOptions {
  name: string;
  sessionId?: string | undefined;
  userId?: string | undefined;
  /** Agent that runs: the spans of the trace without an agent of their own count as its. */
  agentName?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Any value. It is read at once: later changes of it do not matter. */
  input?: unknown;
}

/** An open span. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Adds fields. `usage`, `metadata` and `attributes` are merged, other fields replaced. */
  update(fields: SpanFields): void;
  /** Ends the span; later calls do nothing. A span of a function ends with it. */
  end(): void;
}

/** An open trace: its root span. */
export type Trace = Span;
