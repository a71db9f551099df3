SELECT model, uniqExact(trace_hash) AS traces, any(sampling) AS mask
FROM (
  SELECT model, trace_hash, transform(toString(model), {models:Array(String)}, {masks:Array(UInt64)}, toUInt64(0)) AS sampling
  FROM (
  SELECT model, trace_hash FROM model_hour_sketches ARRAY JOIN traces AS trace_hash WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND model = {model:String}
  UNION ALL
  SELECT model, sipHash64(trace_id) AS trace_hash FROM calls FINAL WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model = {model:String}
  )
)
WHERE bitAnd(trace_hash, sampling) = 0
GROUP BY model
