export { batchesOf, encodeEvent, maxBatchBytes, maxBatchEvents, maxPayloadBytes } from './batch.ts';
export type { Batch, EncodedEvent } from './batch.ts';
export type { IngestEvent, ScoreEvent, SpanEvent, SpanKind, TokenUsage, TraceEvent } from './events.ts';
export { newSpanId, newTraceId } from './id.ts';
