const window =
  'hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND start_time >= fromUnixTimestamp64Milli({rowsFrom:Int64}) AND start_time < fromUnixTimestamp64Milli({rowsBefore:Int64})';

/** Spans carry versions as text; those of this service are numbers without leading zeros. */
const isVersion = "match(prompt_version, '^[1-9][0-9]{0,8}$')";

const maxVersions = 10_000;

/**
 * Calls of the prompt `{name:String}` by version, in the hours from `{from:UInt32}` to before `{to:UInt32}` and started from
 * `{rowsFrom:Int64}` to before `{rowsBefore:Int64}` (epoch milliseconds).
 */
export const callsOfPromptSql = `SELECT toUInt32(prompt_version) AS version, count() AS calls, sum(error) AS errors, sum(finished) AS finished,
  sumKahan(duration_ms) AS duration_sum, sumKahan(cost) AS cost, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced
FROM calls FINAL
WHERE ${window} AND model != '' AND prompt_name = {name:String} AND ${isVersion}
GROUP BY prompt_version
ORDER BY version DESC
LIMIT ${maxVersions}`;

/** Quality scores of a kind in the window, in the share of their scale; they name far fewer traces than there are calls. */
const scored = (what: string) =>
  `SELECT trace_id, span_id, (quality.score - scale_min) / (scale_max - scale_min) AS score FROM quality FINAL WHERE ${window} AND ${what}`;
const tracesOf = (what: string) => `trace_id GLOBAL IN (SELECT trace_id FROM quality FINAL WHERE ${window} AND ${what})`;
const ofSpan = "is_quality = 1 AND trace_id != '' AND span_id != ''";
const ofTrace = "is_quality = 1 AND trace_id != '' AND span_id = ''";

/** Scores in the window by version: of the prompt's calls, of any time, and of traces whose calls used this prompt version only. */
export const scoresOfPromptSql = `SELECT toUInt32(prompt_version) AS version, count() AS evals, sumKahan(score) AS score_sum
FROM (
  SELECT called.prompt_version AS prompt_version, scored.score AS score
  FROM (
    SELECT trace_id, span_id, prompt_version FROM calls FINAL
    WHERE model != '' AND prompt_name = {name:String} AND ${tracesOf(ofSpan)}
  ) AS called
  GLOBAL INNER JOIN (${scored(ofSpan)}) AS scored ON scored.trace_id = called.trace_id AND scored.span_id = called.span_id
  UNION ALL
  SELECT called.only_version AS prompt_version, scored.score AS score
  FROM (
    SELECT trace_id, any(prompt_name) AS only_name, any(prompt_version) AS only_version FROM calls FINAL
    WHERE model != '' AND prompt_name != '' AND ${tracesOf(ofTrace)}
    GROUP BY trace_id
    HAVING uniqExact((prompt_name, prompt_version)) = 1 AND only_name = {name:String}
  ) AS called
  GLOBAL INNER JOIN (${scored(ofTrace)}) AS scored ON scored.trace_id = called.trace_id
)
WHERE ${isVersion}
GROUP BY prompt_version
ORDER BY version DESC
LIMIT ${maxVersions}`;
