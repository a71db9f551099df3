WITH arrayFlatten(groupArray(part.durations)) AS all_durations, arrayFlatten(groupArray(part.duration_counts)) AS counts,
  arrayCumSum(arraySort((counted, duration) -> duration, counts, all_durations)) AS ranks
SELECT toString(part.source) AS source, toString(part.target) AS target, sum(part.calls) AS calls, sum(part.errors) AS errors, sumKahan(part.cost) AS cost,
  sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced,
  if(empty(ranks), 0, arraySort(all_durations)[arrayFirstIndex(cumulative -> cumulative > floor(0.95 * (ranks[-1] - 1)), ranks)]) AS p95
FROM (
  SELECT hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts FROM graph_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND environment IN {environments:Array(String)}
  UNION ALL
  SELECT hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts FROM (SELECT * FROM (SELECT hour, environment, source, target, sum(calls_of) AS calls, sum(finished_of) AS finished, sum(errors_of) AS errors, sum(unpriced_of) AS unpriced,
    sum(partly_priced_of) AS partly_priced, sumKahan(cost_of) AS cost,
    arraySort(groupArrayIf(duration, finished_of > 0)) AS durations,
    arrayMap(pair -> pair.2, arraySort(groupArrayIf((duration, finished_of), finished_of > 0))) AS duration_counts
  FROM (
    SELECT hour, environment, part.1 AS source, part.2 AS target, duration, sum(part.3) AS calls_of, sum(part.3 * is_finished) AS finished_of,
      sum(part.3 * is_error) AS errors_of, sumKahan(part.4) AS cost_of, sum(part.5) AS unpriced_of, sum(part.6) AS partly_priced_of
    FROM (
      SELECT hour, environment, error AS is_error, finished AS is_finished, reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(duration_ms) + bitShiftLeft(toUInt64(1), 44), bitNot(bitShiftLeft(toUInt64(1), 45) - 1))) AS duration,
      arrayJoin(arrayConcat(
      [('', toString(node), 1, cost, unpriced, partly_priced)],
      if(caller != '' AND caller != node, [(toString(caller), toString(node), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(provider != '', [('', concat('provider:', provider), 1, cost, unpriced, partly_priced), (toString(node), concat('provider:', provider), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(prompt_name != '', [('', concat('prompt:', prompt_name), 1, cost, unpriced, partly_priced)], []),
      if(prompt_name != '' AND caller != '', [(toString(caller), concat('prompt:', prompt_name), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(agent_name != '', [('', concat('agent:', agent_name), 0, cost, unpriced, partly_priced)], []))) AS part
      FROM node_calls FINAL
      WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND start_time >= fromUnixTimestamp64Milli({rowsFrom:Int64}) AND start_time < fromUnixTimestamp64Milli({rowsBefore:Int64}) AND environment IN {environments:Array(String)}
    )
    GROUP BY hour, environment, source, target, duration
  )
  GROUP BY hour, environment, source, target))
) AS part
GROUP BY source, target
HAVING calls > 0
ORDER BY source = '' DESC, calls DESC, source, target
LIMIT 20001 BY source = ''
