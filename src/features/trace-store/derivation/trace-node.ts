import type { SpanKind } from '../../../contract/kinds.ts';

/** The fields of a span that the rules about a whole trace need. */
export interface TraceNode {
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: SpanKind;
  startNs: bigint;
  endNs: bigint | null;
  /** `''`: none. */
  model: string;
  requestModel: string;
  agentName: string;
  toolName: string;
  /** `''` of an OTLP span: nothing names its operation, and its kind is inferred from its model. */
  operation: string;
  sessionId: string;
  responseId: string;
  /** The span failed. */
  error: boolean;
  errorCode: string;
  errorMessage: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** `''` without an input. */
  inputPreview: string;
  outputPreview: string;
  source: 'native' | 'otlp';
}

/** A span of which only defaults are known. */
export const blankNode: TraceNode = {
  spanId: '',
  parentSpanId: '',
  name: '',
  kind: 'span',
  startNs: 0n,
  endNs: null,
  model: '',
  requestModel: '',
  agentName: '',
  toolName: '',
  operation: '',
  sessionId: '',
  responseId: '',
  error: false,
  errorCode: '',
  errorMessage: '',
  inputTokens: null,
  outputTokens: null,
  inputPreview: '',
  outputPreview: '',
  source: 'native',
};

/** The results of the rules for one span. */
export interface ResolvedNode {
  /** That of the span, but for an OTLP agent that only encloses agents, and a span that only reports a call (docs/semantics.md, "Span kinds"). */
  kind: SpanKind;
  /** Its own agent name, else that of the nearest ancestor of kind `agent` (docs/semantics.md, "Agent names"). */
  agentName: string;
  /** `''` also for an id that is that of a response of the trace (docs/semantics.md, "Sessions"). */
  sessionId: string;
  errorCode: string;
  errorMessage: string;
  /** Whether it repeats another span (docs/semantics.md, "Repeated calls"). */
  repeats: boolean;
  /** The span that it repeats, which may repeat another one. */
  repeated: TraceNode | null;
  /** The id of the span that has the input or output which this call lacks; `''`: none. */
  contentFrom: string;
  /** 0 for a root. */
  depth: number;
  /** The results for its parent; null for a root, and where a cycle is cut. */
  parent: ResolvedNode | null;
}

/** Whether a span reports at least one token. */
export function hasTokens(node: TraceNode): boolean {
  return (node.inputTokens ?? 0) > 0 || (node.outputTokens ?? 0) > 0;
}

/** Whether a span is of a kind whose tokens count (docs/semantics.md, "Calls"). */
export function isCallKind(node: Pick<TraceNode, 'kind'>): boolean {
  return node.kind === 'llm' || node.kind === 'embedding';
}

/** Marks a span as a repetition of another one, unless it is marked. */
export function markRepeats(own: ResolvedNode, of: TraceNode): void {
  own.repeated ??= of;
  own.repeats = true;
}

/** The order of siblings: by start, then by id. */
export function byStart(left: TraceNode, right: TraceNode): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId);
}
