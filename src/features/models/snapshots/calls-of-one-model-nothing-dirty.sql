SELECT part.dimension AS dimension, part.model AS model,
  if(part.dimension = 'model' AND part.model = {model:String}, toString(toDate(part.hour)), part.item) AS item, sum(part.calls) AS calls, sum(part.finished) AS finished, sum(part.errors) AS errors, sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced, sumKahan(part.cost) AS cost, sumKahan(part.duration_sum) AS duration_sum, sumKahan(part.ttft_sum) AS ttft_sum, sum(part.ttft_count) AS ttft_count, sum(part.input_tokens) AS input_tokens, sum(part.output_tokens) AS output_tokens, sum(part.cached_tokens) AS cached_tokens, sum(part.reasoning_tokens) AS reasoning_tokens,
  toUnixTimestamp64Milli(min(part.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(part.last_seen)) AS last_seen
FROM model_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND (dimension = 'model' OR model = {model:String}) AND model != ''
GROUP BY dimension, model, item
ORDER BY model = {model:String} DESC, calls DESC, model, item
LIMIT 10000 BY dimension
