import type { ApplicationUser } from '../../../contract/users.ts';
import { exact, ratio } from '../../../platform/statistics/index.ts';
import { timestampOf } from '../stored-text.ts';

/** What the figures of users need of a trace's summary. */
export const userColumns = `trace_id, user_id, session_id, start_time, call_count, error_count, unpriced_calls, partly_priced_calls, cost,
    input_tokens, output_tokens`;

/** Figures over some traces as the engine returns them. */
export interface ActivityRow {
  trace_count: number;
  calls: number;
  errors: number;
  unpriced: number;
  partly_priced: number;
  total_cost: number;
}

/** One user, aggregated from their traces by {@link userSums}. */
export interface UserRow extends ActivityRow {
  user_id: string;
  first_ns: string;
  last_ns: string;
  sessions: number;
  total_input: number;
  total_output: number;
}

/** SQL of an {@link ActivityRow}. */
export const activitySums = `count() AS trace_count, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost`;

/** SQL of a {@link UserRow} without the user's id. */
export const userSums = `toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(start_time))) AS last_ns,
  ${activitySums},
  uniqExactIf(session_id, session_id != '') AS sessions, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output`;

/** What the scores of a user's traces, and of the spans of these, come to. */
export interface ScoreSums {
  evals: number;
  score_sum: number;
}

/** What the outcomes of a user's traces come to. */
export interface OutcomeSums {
  outcomes: number;
  succeeded: number;
  failed: number;
}

/** The figures of some traces as JSON responses have them. */
export function activityOf(row: ActivityRow) {
  return {
    traces: row.trace_count,
    calls: row.calls,
    errors: row.errors,
    unpricedCalls: row.unpriced,
    partlyPricedCalls: row.partly_priced,
    costUsd: exact(row.total_cost),
  };
}

/** A user as JSON responses have them. */
export function toUser(row: UserRow, scores: ScoreSums | undefined, outcomes: OutcomeSums | undefined): ApplicationUser {
  const { succeeded = 0, failed = 0 } = outcomes ?? {};
  return {
    userId: row.user_id,
    firstSeen: timestampOf(row.first_ns),
    lastSeen: timestampOf(row.last_ns),
    ...activityOf(row),
    sessions: row.sessions,
    inputTokens: row.total_input,
    outputTokens: row.total_output,
    avgScore: ratio(scores?.score_sum ?? 0, scores?.evals ?? 0, null),
    evalCount: scores?.evals ?? 0,
    outcomes: outcomes?.outcomes ?? 0,
    successRate: ratio(succeeded, succeeded + failed, null),
    // A cost per success over costs that are not known whole would be too low.
    costPerSuccess: row.unpriced + row.partly_priced > 0 ? null : ratio(row.total_cost, succeeded, null),
  };
}
