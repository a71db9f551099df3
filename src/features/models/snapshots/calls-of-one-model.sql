SELECT part.dimension AS dimension, part.model AS model,
  if(part.dimension = 'model' AND part.model = {model:String}, toString(toDate(part.hour)), part.item) AS item, sum(part.calls) AS calls, sum(part.finished) AS finished, sum(part.errors) AS errors, sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced, sumKahan(part.cost) AS cost, sumKahan(part.duration_sum) AS duration_sum, sumKahan(part.ttft_sum) AS ttft_sum, sum(part.ttft_count) AS ttft_count, sum(part.input_tokens) AS input_tokens, sum(part.output_tokens) AS output_tokens, sum(part.cached_tokens) AS cached_tokens, sum(part.reasoning_tokens) AS reasoning_tokens,
  toUnixTimestamp64Milli(min(part.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(part.last_seen)) AS last_seen
FROM (
  SELECT hour, model, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen FROM model_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND (dimension = 'model' OR model = {model:String}) AND model != ''
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
  HAVING (dimension = 'model' OR item != '' AND model != '') AND (dimension = 'model' OR model = {model:String}) AND model != '')
) AS part
GROUP BY dimension, model, item
ORDER BY model = {model:String} DESC, calls DESC, model, item
LIMIT 10000 BY dimension
