WITH arrayFlatten(groupArray(part.durations)) AS all_durations, arrayFlatten(groupArray(part.duration_counts)) AS counts,
  arrayCumSum(arraySort((counted, duration) -> duration, counts, all_durations)) AS ranks
SELECT toString(part.source) AS source, toString(part.target) AS target, sum(part.calls) AS calls, sum(part.errors) AS errors, sumKahan(part.cost) AS cost,
  sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced,
  if(empty(ranks), 0, arraySort(all_durations)[arrayFirstIndex(cumulative -> cumulative > floor(0.95 * (ranks[-1] - 1)), ranks)]) AS p95
FROM graph_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))
GROUP BY source, target
HAVING calls > 0
ORDER BY source = '' DESC, calls DESC, source, target
LIMIT 20001 BY source = ''
