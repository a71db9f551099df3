SELECT multiIf(grouping(scored.evaluator) = 0, 'evaluator', grouping(scored.day) = 0, 'day', 'model') AS dimension, scored.model AS model,
  concat(scored.evaluator, scored.day) AS item, sum(scored.evals) AS evals, sumKahan(scored.score_sum) AS score_sum, sum(scored.passed) AS passed, sum(scored.failed) AS failed
FROM (
  SELECT model, if(model = {model:String}, toString(evaluator), '') AS evaluator, if(model = {model:String}, toString(toDate(hour)), '') AS day,
    evals, score_sum, passed, failed
  FROM (
  SELECT hour, model, evaluator, evals, score_sum, passed, failed FROM quality_hours WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))
  UNION ALL
  SELECT hour, model, evaluator, evals, score_sum, passed, failed FROM (SELECT hour, model, evaluator, count() AS evals, sumKahan(score) AS score_sum, countIf(quality.passed = 1) AS passed, countIf(quality.passed = 0) AS failed
  FROM quality FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model != ''
  GROUP BY hour, model, evaluator)
  )
) AS scored
GROUP BY GROUPING SETS ((scored.model), (scored.model, scored.evaluator), (scored.model, scored.day))
HAVING dimension = 'model' OR model = {model:String}
ORDER BY model = {model:String} DESC, evals DESC, model, item
LIMIT 10000 BY dimension
