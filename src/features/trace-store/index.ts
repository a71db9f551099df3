export { LocalBatchBuilder } from './batches/batch-builder.ts';
export { mostInflatedBytes } from './batches/decode-request.ts';
export { Pipeline } from './pipeline/pipeline.ts';
export { resolveTrace } from './derivation/resolve-trace.ts';
export { contentsOfCalls } from './derivation/contents-of-calls.ts';
export type { CallContent, ContentsOfCalls } from './derivation/contents-of-calls.ts';
export { agentNameSql } from './derivation/agent-names.ts';
export { blankNode } from './derivation/trace-node.ts';
export type { ResolvedNode, TraceNode } from './derivation/trace-node.ts';
export { maxSpansOfATrace } from './derivation/stored-headers.ts';
export { open } from './open.ts';
export type { TraceStoreFeature } from './open.ts';
export { repetitionMs } from './log/usage-store.ts';
export type { UsageStore } from './log/usage-store.ts';
export type {
  IngestPipeline,
  BegunTrace,
  DeletedData,
  IngestTenant,
  OnDeletionsBegun,
  OtlpRequest,
  SpanConsumer,
  TouchedHour,
  TraceHooks,
  WrittenSpans,
  TagChange,
  TagFailure,
} from './pipeline-port.ts';
export type { CostChange, RepricedRange, RepricingFigures, RepricingPage, SpanPosition } from './repricing/plan-repricing.ts';
export type { RepricingPort } from './repricing/repricing-port.ts';
export { attributesSql, restoreCopies, restoredAttributesSql, shortestCopy } from './tables/payload-copies.ts';
export { addWords } from './search/add-words.ts';
export { foldedText, foldedTexts } from './search/span-texts.ts';
export type { SearchPort, SearchProgress } from './search/search-index.ts';
export type { UnscaledScores } from './set-score-scale.ts';
export { spans } from './tables/spans.ts';
export { maxTags } from './derivation/trace-view.ts';
export { traceTables } from './tables/trace-tables.ts';
