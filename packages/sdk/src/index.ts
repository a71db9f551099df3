export { batchesOf, encodeEvent, maxBatchBytes, maxBatchEvents, maxPayloadBytes } from './batch.ts';
export type { Batch, EncodedEvent } from './batch.ts';
export { Spanwise } from './client.ts';
export type { DeliveryReport } from './delivery/counts.ts';
export { GuardrailBlocked } from './guard/index.ts';
export type {
  BundledGuardrail,
  CheckAction,
  CheckAnswer,
  CheckOptions,
  CheckStage,
  Guard,
  GuardrailReport,
  GuardrailResult,
  GuardrailType,
  PolicyBundle,
  TextSource,
  Verdict,
} from './guard/index.ts';
export type { IngestEvent, ScoreEvent, SpanEvent, SpanKind, TokenUsage, TraceEvent } from './events.ts';
export { newSpanId, newTraceId } from './id.ts';
export type {
  ChatMessage,
  ChatPrompt,
  Prompt,
  PromptFallback,
  PromptOptions,
  Prompts,
  PromptVariables,
  TextPrompt,
} from './prompts/index.ts';
export type { ChangeReport, OutcomeReport, StoredChange } from './reports.ts';
export type { SpanwiseOptions } from './settings.ts';
export type { Span, SpanFields, SpanOptions, SpanParent, Trace, TraceOptions } from './tracing/span.ts';
export type { WrapOptions } from './wrap/wrap-client.ts';
