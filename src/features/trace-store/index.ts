export { applyPassThresholds } from './apply-pass-thresholds.ts';
export { LocalBatchBuilder } from './batches/batch-builder.ts';
export type { RequestDecoder } from './batches/batch-builder.ts';
export { Pipeline } from './batches/pipeline.ts';
export { serveBatchBuilder } from './batches/serve-batch-builder.ts';
export { resolveTrace } from './derivation/resolve-trace.ts';
export type { ResolvedNode, TraceNode } from './derivation/resolve-trace.ts';
export { maxSpansOfATrace } from './derivation/stored-headers.ts';
export { open } from './open.ts';
export type { TraceStoreFeature } from './open.ts';
export { repetitionMs } from './log/usage-store.ts';
export type { UsageStore } from './log/usage-store.ts';
export type {
  IngestPipeline,
  IngestTenant,
  OtlpRequest,
  SpanConsumer,
  TouchedHour,
  TraceHooks,
  WrittenSpans,
} from './pipeline-port.ts';
export { decodeOwnPrices, encodeOwnPrices, noOwnPrices, ownPricesOf } from './own-prices.ts';
export type { OwnPrice, OwnPrices } from './own-prices.ts';
export { pricedModel, priceSpan } from './pricing.ts';
export { countsAsItIs, scaleFields } from './records.ts';
export type { GuardrailActivityRecord, GuardrailCounts, IngestBatch, OutcomeRecord, ScoreRecord, SpanRecord } from './records.ts';
export type { CostChange, RepricedRange, RepricingFigures, RepricingPage, SpanPosition } from './repricing/plan-repricing.ts';
export type { RepricingPort } from './repricing/repricing-port.ts';
export { restoreCopies } from './tables/payload-copies.ts';
export type { UnscaledScores } from './set-score-scale.ts';
export { isSimulated, simulationMark } from './simulated-spans.ts';
export { blankSpan } from './tables/spans.ts';
export { traceTables } from './tables/trace-tables.ts';
