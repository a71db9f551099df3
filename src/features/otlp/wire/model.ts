import type { Attribute } from './attribute.ts';

/** A decoded ExportTraceServiceRequest of either encoding. Ids and times are not validated yet; `read-traces.ts` does that. */
export interface OtlpTraces {
  /** Without those that have no spans. */
  resourceSpans: ResourceSpans[];
  /** Number of spans after the decoder's span limit. */
  skippedSpans: number;
}

export interface ResourceSpans {
  attributes: Attribute[];
  scopeSpans: ScopeSpans[];
}

export interface ScopeSpans {
  name: string;
  version: string;
  attributes: Attribute[];
  spans: OtlpSpan[];
}

export interface OtlpSpan {
  /** Lower-case hex; from JSON possibly other text. */
  traceId: string;
  spanId: string;
  /** `''` when absent. */
  parentSpanId: string;
  traceState: string;
  flags: number;
  name: string;
  kind: number;
  /** Nanoseconds since the epoch; 0 when absent, -1 when it was not such a number (JSON). */
  startNs: bigint;
  endNs: bigint;
  attributes: Attribute[];
  events: OtlpEvent[];
  links: OtlpLink[];
  statusCode: number;
  statusMessage: string;
  /** Whether an enum was not an integer (JSON); such a span is rejected: docs/semantics.md, "OTLP requests". */
  enumNotInteger: boolean;
}

export interface OtlpEvent {
  timeNs: bigint;
  name: string;
  attributes: Attribute[];
}

export interface OtlpLink {
  traceId: string;
  spanId: string;
  traceState: string;
  attributes: Attribute[];
}

/** Maximum levels of nested AnyValues. */
export const maxValueDepth = 32;

/** Maximum attributes, events, links and list elements of a body: docs/semantics.md, "Body limits". Bounds the memory of a decoded body. */
export const maxElements = 2_000_000;

/** A span with every field absent. */
export function emptySpan(): OtlpSpan {
  return {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startNs: 0n,
    endNs: 0n,
    attributes: [],
    events: [],
    links: [],
    statusCode: 0,
    statusMessage: '',
    enumNotInteger: false,
  };
}
