import type { TraceSummary } from '../../contract/traces.ts';
import { exact } from '../../platform/statistics/index.ts';
import { nanosecondsSql, textOf, timestampOf } from './stored-text.ts';

/** One row of table `traces`, as {@link summaryColumns} reads it. */
export interface SummaryRow {
  trace_id: string;
  name: string;
  start_ns: string;
  end_ns: string | null;
  duration_ms: number | null;
  error: number;
  session_id: string;
  user_id: string;
  environment: string;
  release: string;
  tags: string[];
  models: string[];
  agents: string[];
  span_count: number;
  call_count: number;
  error_count: number;
  unpriced_calls: number;
  partly_priced_calls: number;
  cost: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  input_preview: string;
  output_preview: string;
}

const rest = `duration_ms, error, session_id, user_id, environment, release, tags, models, agents, span_count, call_count, error_count,
  unpriced_calls, partly_priced_calls, cost, input_tokens, output_tokens, cached_tokens, reasoning_tokens, input_preview, output_preview`;

/** A row of table `traces` as lists read it. */
export interface ListedRow extends SummaryRow {
  /** `''` where no span failed, and in rows of earlier releases. */
  error_code: string;
  error_message: string;
}

/** The columns of a stored summary that {@link summaryColumns} reads, and facets count. */
export const storedSummaryColumns = `trace_id, name, start_time, end_time, ${rest}, depth`;

export const summaryColumns = `trace_id, name, ${nanosecondsSql('start_time')} AS start_ns, ${nanosecondsSql('end_time')} AS end_ns,
  ${rest}`;
export const listedColumns = `${summaryColumns}, error_code, error_message`;

/** A trace summary as JSON responses have it. */
export function toSummary(row: SummaryRow): TraceSummary {
  return {
    traceId: row.trace_id,
    name: textOf(row.name),
    startTime: timestampOf(row.start_ns),
    endTime: row.end_ns === null ? null : timestampOf(row.end_ns),
    durationMs: row.duration_ms,
    status: row.error === 1 ? 'error' : 'ok',
    sessionId: textOf(row.session_id),
    userId: textOf(row.user_id),
    environment: textOf(row.environment),
    release: textOf(row.release),
    tags: row.tags,
    models: row.models,
    agents: row.agents,
    spanCount: row.span_count,
    callCount: row.call_count,
    errorCount: row.error_count,
    unpricedCalls: row.unpriced_calls,
    partlyPricedCalls: row.partly_priced_calls,
    costUsd: exact(row.cost),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    reasoningTokens: row.reasoning_tokens,
    inputPreview: textOf(row.input_preview),
    outputPreview: textOf(row.output_preview),
  };
}
