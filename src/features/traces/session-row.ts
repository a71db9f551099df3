import type { Session } from '../../contract/traces.ts';
import { exact } from '../../platform/statistics/index.ts';
import { textOf, timestampOf } from './stored-text.ts';

/** One session, aggregated from its traces by {@link sessionColumns}. */
export interface SessionRow {
  session_id: string;
  user: string;
  environments: string[];
  first_ns: string;
  last_ns: string;
  tie: string;
  trace_count: number;
  spans: number;
  calls: number;
  errors: number;
  unpriced: number;
  partly_priced: number;
  total_cost: number;
  total_input: number;
  total_output: number;
  total_cached: number;
  total_reasoning: number;
}

/** SQL of a session's last activity: the latest end of its traces, or the start where a trace has not ended. */
export const lastActivity = 'max(greatest(start_time, ifNull(end_time, start_time)))';
/** Tie-breaker between sessions; a session id may be too long for a cursor. */
export const sessionTie = 'cityHash64(session_id)';

/** What {@link sessionColumns} reads of a trace's summary. */
export const summedColumns = `session_id, user_id, environment, start_time, end_time, span_count, call_count, error_count, unpriced_calls, partly_priced_calls, cost,
    input_tokens, output_tokens, cached_tokens, reasoning_tokens`;

export const sessionColumns = `session_id, argMaxIf(user_id, start_time, user_id != '') AS user,
  arraySort(groupUniqArrayIf(50)(environment, environment != '')) AS environments,
  toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(${lastActivity})) AS last_ns,
  toString(${sessionTie}) AS tie, count() AS trace_count, sum(span_count) AS spans, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  sum(cached_tokens) AS total_cached, sum(reasoning_tokens) AS total_reasoning`;

/** A session as JSON responses have it. */
export function toSession(row: SessionRow): Session {
  return {
    sessionId: row.session_id,
    userId: textOf(row.user),
    environments: row.environments,
    firstSeen: timestampOf(row.first_ns),
    lastSeen: timestampOf(row.last_ns),
    traceCount: row.trace_count,
    spanCount: row.spans,
    callCount: row.calls,
    errorCount: row.errors,
    unpricedCalls: row.unpriced,
    partlyPricedCalls: row.partly_priced,
    costUsd: exact(row.total_cost),
    inputTokens: row.total_input,
    outputTokens: row.total_output,
    cachedTokens: row.total_cached,
    reasoningTokens: row.total_reasoning,
  };
}
