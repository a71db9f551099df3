import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { StoredSpan } from '../otlp/index.ts';
import type { CostStatus, SpanKind } from '../../contract/kinds.ts';
import { restoreCopies } from '../trace-store/index.ts';
import type { SpanRecord } from '../trace-store/index.ts';
import { nanosecondsSql } from './stored-text.ts';

/** One row of table `spans`, as responses use it. */
export interface SpanRow {
  trace_id: string;
  span_id: string;
  parent_span_id: string;
  name: string;
  kind: SpanKind;
  start_ns: string;
  end_ns: string | null;
  status: '' | 'ok' | 'error';
  error_code: string;
  error_message: string;
  model: string;
  request_model: string;
  provider: string;
  /** Its own agent name, not an inherited one. */
  agent_name: string;
  operation: string;
  session_id: string;
  user_id: string;
  environment: string;
  release: string;
  service: string;
  prompt_name: string;
  prompt_version: string;
  prompt_version_type: '' | 'number';
  tags: string[];
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: number | null;
  cost_status: CostStatus;
  ttft_ms: number | null;
  source: 'native' | 'otlp';
  /** The first 200 characters of input and output. */
  input_preview: string;
  output_preview: string;
  /** JSON texts, `''` when left out. */
  input: string;
  output: string;
  metadata: string;
  attributes: string;
  extra: string;
}

const columns = `trace_id, span_id, parent_span_id, name, kind, ${nanosecondsSql('start_time')} AS start_ns,
  ${nanosecondsSql('end_time')} AS end_ns, status, error_code, error_message, model, request_model, provider, agent_name, operation,
  session_id, user_id, environment, release, service, prompt_name, prompt_version, prompt_version_type, tags, input_tokens, output_tokens,
  cached_tokens, cache_write_tokens, reasoning_tokens, cost_usd, cost_status, ttft_ms, source`;
const payloads = ['input', 'output', 'metadata', 'attributes', 'extra'];

/** SQL of {@link readSpans}. */
export function spansSql(withPayloads: boolean): string {
  return `SELECT ${columns}, input_preview, output_preview,
  ${payloads.map((payload) => (withPayloads ? payload : `'' AS ${payload}`)).join(', ')}
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}`;
}

/** Spans of one trace by their ids; `''` is the trace's own record. */
export async function readSpans(
  reader: TenantReader,
  traceId: string,
  spanIds: readonly string[],
  withPayloads = true,
): Promise<Map<string, SpanRow>> {
  if (spanIds.length === 0) return new Map();
  const rows = await reader.query<SpanRow>(spansSql(withPayloads), { trace: traceId, spans: spanIds });
  return new Map(rows.map((row) => [row.span_id, { ...row, attributes: restoreCopies(row) }]));
}

/** A row as the conventions read it again. */
export function storedSpan(row: SpanRow): StoredSpan {
  return {
    traceId: row.trace_id,
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    name: row.name,
    kind: row.kind,
    startNs: BigInt(row.start_ns),
    endNs: row.end_ns === null ? null : BigInt(row.end_ns),
    status: row.status,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    model: row.model,
    requestModel: row.request_model,
    provider: row.provider,
    agentName: row.agent_name,
    operation: row.operation,
    sessionId: row.session_id,
    userId: row.user_id,
    environment: row.environment,
    release: row.release,
    service: row.service,
    promptName: row.prompt_name,
    promptVersion: row.prompt_version,
    promptVersionType: row.prompt_version_type,
    tags: row.tags,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    reasoningTokens: row.reasoning_tokens,
    costUsd: row.cost_usd,
    costStatus: row.cost_status,
    timeToFirstTokenMs: row.ttft_ms,
    source: row.source,
    input: row.input,
    output: row.output,
    metadata: row.metadata,
    attributes: row.attributes,
    extra: row.extra,
  };
}

/** The row that a span is stored as. */
export function rowOf(span: SpanRecord): SpanRow {
  return {
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    start_ns: String(span.startNs),
    end_ns: span.endNs === null ? null : String(span.endNs),
    status: span.status,
    error_code: span.errorCode,
    error_message: span.errorMessage,
    model: span.model,
    request_model: span.requestModel,
    provider: span.provider,
    agent_name: span.agentName,
    operation: span.operation,
    session_id: span.sessionId,
    user_id: span.userId,
    environment: span.environment,
    release: span.release,
    service: span.service,
    prompt_name: span.promptName,
    prompt_version: span.promptVersion,
    prompt_version_type: span.promptVersionType,
    tags: [...span.tags],
    input_tokens: span.inputTokens,
    output_tokens: span.outputTokens,
    cached_tokens: span.cachedTokens,
    cache_write_tokens: span.cacheWriteTokens,
    reasoning_tokens: span.reasoningTokens,
    cost_usd: span.costUsd,
    cost_status: span.costStatus,
    ttft_ms: span.timeToFirstTokenMs,
    source: span.source,
    input_preview: '',
    output_preview: '',
    input: span.input,
    output: span.output,
    metadata: span.metadata,
    attributes: span.attributes,
    extra: span.extra,
  };
}
