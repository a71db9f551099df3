import { percentileSql } from '../../../platform/statistics/index.ts';

/** The rows of a range. */
const rows = `guardrail_activity FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`;

/** Guardrails in one answer, and their groups. */
export const maxGuardrailRows = 1_000;
export const maxGroups = 20_000;

/** The checks of each day, ascending. */
export const daysSql = `SELECT toString(toDate(start_time, 'UTC')) AS day, toFloat64(sum(checks)) AS checks, toFloat64(sum(flagged)) AS flagged,
  toFloat64(sum(redacted)) AS redacted, toFloat64(sum(blocked)) AS blocked, toFloat64(sum(failed)) AS failed
FROM ${rows}
GROUP BY day
HAVING checks > 0
ORDER BY day`;

const each = `SELECT start_time, environment, guardrail, type, ran, flagged, redacted, blocked, failed
  FROM (
    SELECT start_time, environment, guardrails, guardrail_types, guardrail_checks, guardrail_flagged, guardrail_redacted, guardrail_blocked, guardrail_failed
    FROM ${rows}
  )
  ARRAY JOIN guardrails AS guardrail, guardrail_types AS type, guardrail_checks AS ran, guardrail_flagged AS flagged, guardrail_redacted AS redacted,
    guardrail_blocked AS blocked, guardrail_failed AS failed`;

const sums = `sum(ran) AS checks, sum(flagged) AS flagged_sum, sum(redacted) AS redacted_sum, sum(blocked) AS blocked_sum, sum(failed) AS failed_sum`;

/** The results of each guardrail, with its last known type. */
export const guardrailsSql = `SELECT guardrail, argMax(type, (type != '', start_time)) AS last_type, ${sums}
FROM (${each})
GROUP BY guardrail
ORDER BY guardrail
LIMIT ${maxGuardrailRows}`;

/** The 95th percentile of each guardrail's latencies. */
export const latenciesSql = `WITH arraySort(groupArray((latency, occurrences))) AS pairs, arrayCumSum(pairs.2) AS ranks
SELECT guardrail, ${percentileSql({ values: '(pairs.1)', upTo: 'ranks' }, 0.95)} AS p95
FROM (
  SELECT guardrail, latency, count() AS occurrences
  FROM (SELECT timed_guardrails, latencies FROM ${rows})
  ARRAY JOIN timed_guardrails AS guardrail, latencies AS latency
  GROUP BY guardrail, latency
)
GROUP BY guardrail
ORDER BY guardrail
LIMIT ${maxGuardrailRows}`;

/** Of a report of an application with an API key; other activity was counted by the service itself. */
const isReport = "startsWith(activity_id, 'report ')";

/** The checks of each day that applications reported. */
export const reportedDaysSql = `SELECT toString(toDate(start_time, 'UTC')) AS name, toFloat64(sum(checks)) AS checks
FROM ${rows} AND ${isReport}
GROUP BY name
HAVING checks > 0`;

/** The checks of each guardrail that applications reported. */
export const reportedGuardrailsSql = `SELECT guardrail AS name, sum(ran) AS checks
FROM (SELECT guardrails, guardrail_checks FROM ${rows} AND ${isReport})
ARRAY JOIN guardrails AS guardrail, guardrail_checks AS ran
GROUP BY name
LIMIT ${maxGuardrailRows}`;

/** The results of each guardrail by day or environment; with `{guardrail:String}` not empty those of one guardrail. */
export function groupsSql(by: 'day' | 'environment'): string {
  const key = by === 'day' ? "toString(toDate(start_time, 'UTC'))" : 'environment';
  return `SELECT guardrail, ${key} AS key, ${sums}
FROM (${each})
WHERE {guardrail:String} = '' OR guardrail = {guardrail:String}
GROUP BY guardrail, key
ORDER BY guardrail, key
LIMIT ${maxGroups}`;
}
