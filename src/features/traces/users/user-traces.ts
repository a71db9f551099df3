import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { candidateIds, retainedSummaries } from '../partly-expired.ts';
import type { SummarySource } from '../partly-expired.ts';
import type { TimeRange } from '../time-range.ts';
import { startedIn } from '../trace-filters.ts';
import type { TraceConditions } from '../trace-filters.ts';

/** Whose traces are read. */
export interface UserTraces {
  range: TimeRange;
  conditions: Pick<TraceConditions, 'ofSummary' | 'ofMembers'>;
  /** A condition on `user_id`. */
  ofUser: SqlPart;
}

/** Traces of users alone. */
export const anyUser: SqlPart = { text: `user_id != ''`, parameters: {} };

/** The traces of some users. */
export function ofUsers(userIds: readonly string[]): SqlPart {
  return { text: 'user_id IN {users:Array(String)}', parameters: { users: userIds } };
}

/**
 * FROM and WHERE over the summaries of the traces of users that a list of traces with the same range and filter has.
 *
 * @param columns what is read of a summary, comma-separated
 */
export function tracesOfUsers(
  { range, conditions: { ofSummary, ofMembers }, ofUser }: UserTraces,
  columns: string,
  partlyExpired: SummarySource['partlyExpired'],
): SqlPart {
  const where = allOf([startedIn(range), ofUser, ...ofSummary]);
  const among = candidateIds(where, partlyExpired);
  const further = ofMembers.map((condition) => condition(among));
  return retainedSummaries(where, columns, partlyExpired, further);
}

/** SQL of the sums of scores, those of spans too, by the user of their trace; in the figures over several evaluators alone, on a scale from 0 to 1. */
export function scoresOfUsersSql(traces: UserTraces, partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const ofTrace = 'count() AS trace_evals, sumKahan((score - scale_min) / (scale_max - scale_min)) AS trace_score';
  return toldSql(traces, partlyExpired, {
    sums: 'sum(trace_evals) AS evals, sumKahan(trace_score) AS score_sum',
    rows: (among) => `SELECT trace_id, ${ofTrace}
    FROM scores FINAL
    PREWHERE ${among}
    WHERE is_quality = 1 AND NOT isNaN(score)
    GROUP BY trace_id`,
  });
}

/** SQL of the numbers of outcomes by the user of their trace. */
export function outcomesOfUsersSql(traces: UserTraces, partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const ofTrace = 'count() AS trace_outcomes, countIf(success = 1) AS trace_succeeded, countIf(success = 0) AS trace_failed';
  return toldSql(traces, partlyExpired, {
    sums: 'sum(trace_outcomes) AS outcomes, sum(trace_succeeded) AS succeeded, sum(trace_failed) AS failed',
    // Sorted by the outcome's id, and an outcome may move to another trace: the latest version tells the trace.
    rows: (among) => `SELECT trace_id, ${ofTrace}
    FROM outcomes FINAL
    WHERE ${among}
    GROUP BY trace_id`,
  });
}

function toldSql(
  traces: UserTraces,
  partlyExpired: SummarySource['partlyExpired'],
  { sums, rows }: { sums: string; rows: (among: string) => string },
): SqlPart {
  const known = tracesOfUsers(traces, 'trace_id, user_id', partlyExpired);
  const among = `trace_id GLOBAL IN (
      SELECT trace_id FROM ${indented(known.text, 6)}
    )`;
  return {
    text: `SELECT user_id, ${sums}
FROM (
  SELECT trace_id, user_id FROM ${indented(known.text, 2)}
) AS known
GLOBAL ANY INNER JOIN (
    ${rows(among)}
) AS told USING (trace_id)
GROUP BY user_id`,
    parameters: known.parameters,
  };
}
