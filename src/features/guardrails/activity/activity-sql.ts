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

/** The 95th percentile of each guardrail's latencies: the value at rank floor(0.95 * (n - 1)). */
export const latenciesSql = `WITH arraySort(groupArray((latency, occurrences))) AS pairs, arrayCumSum(pairs.2) AS ranks
SELECT guardrail, (pairs.1)[arrayFirstIndex(held -> held > floor(0.95 * (ranks[-1] - 1)), ranks)] AS p95
FROM (
  SELECT guardrail, latency, count() AS occurrences
  FROM (SELECT timed_guardrails, latencies FROM ${rows})
  ARRAY JOIN timed_guardrails AS guardrail, latencies AS latency
  GROUP BY guardrail, latency
)
GROUP BY guardrail
ORDER BY guardrail
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
