export { open } from './open.ts';
export { findSpans, readSpanPayloads } from './span-payloads.ts';
export type { FoundSpan, SpanName, SpanPayloads } from './span-payloads.ts';
export { readTraceFigures, readTraceScores } from './trace-figures.ts';
export type { TraceFigures, TraceScore } from './trace-figures.ts';
