import type { RowLayout } from '../../../platform/clickhouse/index.ts';
import type { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import type { CostStatus, SpanKind } from '../../../contract/kinds.ts';
import { markCopies } from '../payload-copies.ts';
import type { SpanRecord } from '../span.ts';

/** The columns of table `spans` in the order in which {@link writeSpanRow} writes them. */
export const spanLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['trace_id', 'String'],
  ['span_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['parent_span_id', 'String'],
  ['name', 'String'],
  ['kind', 'String'],
  ['start_time', 'DateTime64(9)'],
  ['end_time', 'Nullable(DateTime64(9))'],
  ['status', 'String'],
  ['error_code', 'String'],
  ['model', 'String'],
  ['provider', 'String'],
  ['agent_name', 'String'],
  ['operation', 'String'],
  ['session_id', 'String'],
  ['user_id', 'String'],
  ['environment', 'String'],
  ['release', 'String'],
  ['prompt_name', 'String'],
  ['prompt_version', 'String'],
  ['tags', 'Array(String)'],
  ['input_tokens', 'Nullable(UInt64)'],
  ['output_tokens', 'Nullable(UInt64)'],
  ['cached_tokens', 'Nullable(UInt64)'],
  ['cache_write_tokens', 'Nullable(UInt64)'],
  ['reasoning_tokens', 'Nullable(UInt64)'],
  ['cost_usd', 'Nullable(Float64)'],
  ['cost_status', 'String'],
  ['ttft_ms', 'Nullable(Float64)'],
  ['source', 'String'],
  ['input_preview', 'String'],
  ['output_preview', 'String'],
  ['request_model', 'String'],
  ['service', 'String'],
  ['scope_name', 'String'],
  ['error_message', 'String'],
  ['input', 'String'],
  ['output', 'String'],
  ['metadata', 'String'],
  ['attributes', 'String'],
  ['extra', 'String'],
];

/**
 * What is kept of a span to work out its trace: everything that a figure or a list may depend on, and none of the payload.
 * A trace's own record has `spanId` `''`.
 */
export interface SpanOutline {
  projectId: string;
  traceId: string;
  spanId: string;
  version: number;
  parentSpanId: string;
  name: string;
  kind: SpanKind;
  startNs: bigint;
  endNs: bigint | null;
  error: boolean;
  errorCode: string;
  model: string;
  provider: string;
  agentName: string;
  operation: string;
  sessionId: string;
  userId: string;
  environment: string;
  release: string;
  promptName: string;
  promptVersion: string;
  tags: readonly string[];
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  costUsd: number | null;
  costStatus: CostStatus;
  ttftMs: number | null;
  source: 'native' | 'otlp';
  inputPreview: string;
  outputPreview: string;
}

const previewLength = 200;

/** The first 200 characters of a payload, without cutting a surrogate pair apart. */
export function previewOf(json: string): string {
  if (json.length <= previewLength) return json;
  const last = json.charCodeAt(previewLength - 1);
  return json.slice(0, last >= 0xd800 && last <= 0xdbff ? previewLength - 1 : previewLength);
}

/** Writes one row of table `spans`. `version` orders the versions of a span: the highest wins. */
export function writeSpanRow(writer: RowWriter, projectId: string, version: number, span: SpanRecord): void {
  writer.uuid(projectId);
  writer.string(span.traceId);
  writer.string(span.spanId);
  writer.uint64(version);
  writer.uint8(0);
  writer.string(span.parentSpanId);
  writer.string(span.name);
  writer.string(span.kind);
  writer.int64(span.startNs);
  writer.nullableInt64(span.endNs);
  writer.string(span.status);
  writer.string(span.errorCode);
  writer.string(span.model);
  writer.string(span.provider);
  writer.string(span.agentName);
  writer.string(span.operation);
  writer.string(span.sessionId);
  writer.string(span.userId);
  writer.string(span.environment);
  writer.string(span.release);
  writer.string(span.promptName);
  writer.string(span.promptVersion);
  writer.strings(span.tags);
  writer.nullableUint64(span.inputTokens);
  writer.nullableUint64(span.outputTokens);
  writer.nullableUint64(span.cachedTokens);
  writer.nullableUint64(span.cacheWriteTokens);
  writer.nullableUint64(span.reasoningTokens);
  writer.nullableFloat64(span.costUsd);
  writer.string(span.costStatus);
  writer.nullableFloat64(span.timeToFirstTokenMs);
  writer.string(span.source);
  writer.string(previewOf(span.input));
  writer.string(previewOf(span.output));
  writer.string(span.requestModel);
  writer.string(span.service);
  writer.string(span.scopeName);
  writer.string(span.errorMessage);
  writer.string(span.input);
  writer.string(span.output);
  writer.string(span.metadata);
  writer.string(markCopies(span));
  writer.string(span.extra);
}

/** The outline of a span whose row is {@link writeSpanRow}'s: what {@link readSpanOutline} reads back from it. */
export function spanOutline(projectId: string, version: number, span: SpanRecord): SpanOutline {
  return {
    projectId,
    traceId: span.traceId,
    spanId: span.spanId,
    version,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    startNs: span.startNs,
    endNs: span.endNs,
    error: span.status === 'error',
    errorCode: span.errorCode,
    model: span.model,
    provider: span.provider,
    agentName: span.agentName,
    operation: span.operation,
    sessionId: span.sessionId,
    userId: span.userId,
    environment: span.environment,
    release: span.release,
    promptName: span.promptName,
    promptVersion: span.promptVersion,
    tags: span.tags,
    inputTokens: span.inputTokens,
    outputTokens: span.outputTokens,
    cachedTokens: span.cachedTokens,
    cacheWriteTokens: span.cacheWriteTokens,
    reasoningTokens: span.reasoningTokens,
    costUsd: span.costUsd,
    costStatus: span.costStatus,
    ttftMs: span.timeToFirstTokenMs,
    source: span.source,
    inputPreview: previewOf(span.input),
    outputPreview: previewOf(span.output),
  };
}

/** Reads a row that {@link writeSpanRow} wrote, passing over the payload. */
export function readSpanOutline(reader: RowReader): SpanOutline {
  const projectId = reader.uuid();
  const traceId = reader.string();
  const spanId = reader.string();
  const version = reader.uint64();
  reader.uint8();
  const parentSpanId = reader.string();
  const name = reader.string();
  const kind = reader.string() as SpanKind;
  const startNs = reader.int64();
  const endNs = reader.nullableInt64();
  const error = reader.string() === 'error';
  const outline: SpanOutline = {
    projectId,
    traceId,
    spanId,
    version,
    parentSpanId,
    name,
    kind,
    startNs,
    endNs,
    error,
    errorCode: reader.string(),
    model: reader.string(),
    provider: reader.string(),
    agentName: reader.string(),
    operation: reader.string(),
    sessionId: reader.string(),
    userId: reader.string(),
    environment: reader.string(),
    release: reader.string(),
    promptName: reader.string(),
    promptVersion: reader.string(),
    tags: reader.strings(),
    inputTokens: reader.nullableUint64(),
    outputTokens: reader.nullableUint64(),
    cachedTokens: reader.nullableUint64(),
    cacheWriteTokens: reader.nullableUint64(),
    reasoningTokens: reader.nullableUint64(),
    costUsd: reader.nullableFloat64(),
    costStatus: reader.string() as CostStatus,
    ttftMs: reader.nullableFloat64(),
    source: reader.string() as 'native' | 'otlp',
    inputPreview: reader.string(),
    outputPreview: reader.string(),
  };
  for (let payload = 0; payload < 9; payload++) reader.skipString();
  return outline;
}
