WITH arrayFlatten(groupArray(part.durations)) AS durations, arrayFlatten(groupArray(part.duration_counts)) AS counts,
  arrayCumSum(arraySort((counted, duration) -> duration, counts, durations)) AS ranks
SELECT part.model AS model, toDate(part.hour) AS start, toString(start) AS day,
  arraySort(durations)[arrayFirstIndex(cumulative -> cumulative > floor(0.95 * (ranks[-1] - 1)), ranks)] AS p95
FROM (
  SELECT hour, model, durations, duration_counts FROM model_hour_sketches AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND model != ''
  UNION ALL
  SELECT hour, model, durations, duration_counts FROM (SELECT hour, model, groupArray(reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(duration_ms) + bitShiftLeft(toUInt64(1), 44), bitNot(bitShiftLeft(toUInt64(1), 45) - 1)))) AS durations, groupArray(toUInt64(1)) AS duration_counts FROM calls FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model != '' AND finished = 1
  GROUP BY hour, model)
) AS part
GROUP BY GROUPING SETS ((model, start), (start))
HAVING (model = '' OR model IN {models:Array(String)}) AND ranks[-1] > 0
