import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { CostStatus, SpanKind } from '../../contract/kinds.ts';
import { restoreCopies } from '../trace-store/index.ts';
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
