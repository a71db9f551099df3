SELECT *, sum(calls) OVER () AS all_calls, sum(cost) OVER () AS all_cost
FROM (
  SELECT grouped.model AS model, sumIf(grouped.calls, grouped.dimension = 'model') AS calls, sumIf(grouped.finished, grouped.dimension = 'model') AS finished, sumIf(grouped.errors, grouped.dimension = 'model') AS errors, sumIf(grouped.unpriced, grouped.dimension = 'model') AS unpriced, sumIf(grouped.partly_priced, grouped.dimension = 'model') AS partly_priced, sumIf(grouped.cost, grouped.dimension = 'model') AS cost, sumIf(grouped.duration_sum, grouped.dimension = 'model') AS duration_sum, sumIf(grouped.ttft_sum, grouped.dimension = 'model') AS ttft_sum, sumIf(grouped.ttft_count, grouped.dimension = 'model') AS ttft_count, sumIf(grouped.input_tokens, grouped.dimension = 'model') AS input_tokens, sumIf(grouped.output_tokens, grouped.dimension = 'model') AS output_tokens, sumIf(grouped.cached_tokens, grouped.dimension = 'model') AS cached_tokens, sumIf(grouped.reasoning_tokens, grouped.dimension = 'model') AS reasoning_tokens, min(grouped.first_seen) AS first_seen, max(grouped.last_seen) AS last_seen,
    countIf(grouped.dimension = 'agent') AS agents, countIf(grouped.dimension = 'operation') AS operations,
    minIf((-toInt64(grouped.calls), toString(grouped.item)), grouped.dimension = 'provider').2 AS provider
  FROM (
    SELECT part.dimension AS dimension, part.model AS model, part.item AS item, sum(part.calls) AS calls, sum(part.finished) AS finished, sum(part.errors) AS errors, sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced, sumKahan(part.cost) AS cost, sumKahan(part.duration_sum) AS duration_sum, sumKahan(part.ttft_sum) AS ttft_sum, sum(part.ttft_count) AS ttft_count, sum(part.input_tokens) AS input_tokens, sum(part.output_tokens) AS output_tokens, sum(part.cached_tokens) AS cached_tokens, sum(part.reasoning_tokens) AS reasoning_tokens,
      toUnixTimestamp64Milli(min(part.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(part.last_seen)) AS last_seen
    FROM (
  SELECT hour, model, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen FROM model_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND dimension != 'error' AND model != ''
  UNION ALL
  SELECT hour, model, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen FROM (SELECT hour, model, environment, CAST(multiIf(grouping(provider) = 0, 'provider', grouping(agent_name) = 0, 'agent', grouping(operation) = 0, 'operation', grouping(error_code) = 0, 'error', 'model'), 'Enum8(\'model\' = 1, \'provider\' = 2, \'agent\' = 3, \'operation\' = 4, \'error\' = 5)') AS dimension,
    toLowCardinality(concat(provider, agent_name, operation, error_code)) AS item,
    count() AS calls, sum(finished) AS finished, sum(error) AS errors, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sumKahan(cost) AS cost,
    sumKahan(duration_ms) AS duration_sum, sumKahan(ifNull(ttft_ms, 0)) AS ttft_sum, count(ttft_ms) AS ttft_count,
    sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cached_tokens) AS cached_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, min(start_time) AS first_seen, max(start_time) AS last_seen
  FROM calls FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)}
  GROUP BY GROUPING SETS ((hour, model, environment), (hour, model, environment, provider), (hour, model, environment, agent_name),
    (hour, model, environment, operation), (hour, model, environment, error_code))
  HAVING (dimension = 'model' OR item != '' AND model != '') AND dimension != 'error' AND model != '')
) AS part
    GROUP BY dimension, model, item
  ) AS grouped
  GROUP BY model
)
ORDER BY cost DESC, model
LIMIT 10000
