SELECT if(part.model IN {models:Array(String)}, part.model, '') AS name, toString(toDate(part.hour)) AS day, sum(part.evals) AS evals, sumKahan(part.score_sum) AS score_sum, sum(part.passed) AS passed, sum(part.failed) AS failed
FROM (
  SELECT hour, model, evaluator, evals, score_sum, passed, failed FROM quality_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))
  UNION ALL
  SELECT hour, model, evaluator, evals, score_sum, passed, failed FROM (SELECT hour, model, evaluator, count() AS evals, sumKahan(score) AS score_sum, countIf(quality.passed = 1) AS passed, countIf(quality.passed = 0) AS failed
  FROM quality FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model != ''
  GROUP BY hour, model, evaluator)
) AS part
GROUP BY name, day
ORDER BY name, day
