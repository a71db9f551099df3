WITH arraySort(groupArray((duration, occurrences))) AS pairs, pairs.1 AS durations, arrayCumSum(pairs.2) AS ranks
SELECT model, durations[arrayFirstIndex(cumulative -> cumulative > floor(0.5 * (ranks[-1] - 1)), ranks)] AS p50, durations[arrayFirstIndex(cumulative -> cumulative > floor(0.95 * (ranks[-1] - 1)), ranks)] AS p95, durations[arrayFirstIndex(cumulative -> cumulative > floor(0.99 * (ranks[-1] - 1)), ranks)] AS p99
FROM (
  SELECT model, duration, sum(occurrence) AS occurrences
  FROM (
  SELECT model, duration, occurrence FROM model_hour_sketches AS part ARRAY JOIN durations AS duration, duration_counts AS occurrence WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0))) AND model = {model:String}
  UNION ALL
  SELECT model, duration, occurrence FROM (SELECT model, reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(duration_ms) + bitShiftLeft(toUInt64(1), 44), bitNot(bitShiftLeft(toUInt64(1), 45) - 1))) AS duration, toUInt64(1) AS occurrence FROM calls FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model = {model:String} AND finished = 1)
) AS part
  GROUP BY model, duration
)
GROUP BY model
