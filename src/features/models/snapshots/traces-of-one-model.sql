SELECT part.model AS model, uniqCombined64Array(20)(part.traces) AS traces
FROM (
  SELECT model, traces FROM model_hour_sketches AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND model = {model:String}
  UNION ALL
  SELECT model, traces FROM (SELECT model, groupUniqArray(sipHash64(trace_id)) AS traces FROM calls FINAL WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model = {model:String} GROUP BY model)
) AS part
GROUP BY model
