export { open } from './open.ts';
export type { TracesFeature } from './open.ts';
export { retainedTraces } from './retained-traces.ts';
export { readContentsOfCalls } from './span-headers.ts';
export { findSpans, readSpanPayloads } from './span-payloads.ts';
export type { FoundSpan, SpanName, SpanPayloads } from './span-payloads.ts';
export { readTraceFigures, readTraceScores } from './trace-figures.ts';
export type { TraceFigures, TraceScore } from './trace-figures.ts';
