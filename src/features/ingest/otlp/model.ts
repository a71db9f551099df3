import type { Attribute } from './attribute.ts';

/**
 * What both encodings of an ExportTraceServiceRequest are read into. Nothing is judged here: ids and times are as they
 * came, and `ingest-otlp.ts` decides which spans are taken.
 */
export interface OtlpTraces {
  /** Only those that hold spans. */
  resourceSpans: ResourceSpans[];
  /** Spans behind the limit that the reader was given: counted, not read. */
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
  /** Hex, lower-case; in JSON possibly any other text that the client sent. */
  traceId: string;
  spanId: string;
  /** `''`: none given. */
  parentSpanId: string;
  traceState: string;
  flags: number;
  name: string;
  kind: number;
  /** Nanoseconds since the epoch; 0 when absent, -1 when not a number. */
  startNs: bigint;
  endNs: bigint;
  attributes: Attribute[];
  events: OtlpEvent[];
  links: OtlpLink[];
  statusCode: number;
  statusMessage: string;
  /** An enum did not come as an integer (JSON alone): such a span is rejected (contract section 3). */
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

/** How deep AnyValues may nest. */
export const deepestValue = 32;

/** How many attributes, events, links and list elements one body may hold, so that a small body cannot become a huge heap. */
export const mostElements = 2_000_000;

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
