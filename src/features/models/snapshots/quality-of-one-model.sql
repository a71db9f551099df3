SELECT part.model AS model, if(part.model = {model:String}, toString(part.evaluator), '') AS evaluator, if(part.model = {model:String}, toString(toDate(part.hour)), '') AS day, sum(part.evals) AS evals, sumKahan(part.score_sum) AS score_sum, sum(part.passed) AS passed, sum(part.failed) AS failed, sum(part.quality_evals) AS quality_evals, sumKahan(part.quality_sum) AS quality_sum, sum(part.quality_passed) AS quality_passed, sum(part.quality_failed) AS quality_failed
FROM (
  SELECT hour, model, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed FROM quality_hours AS part WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))
  UNION ALL
  SELECT hour, model, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed FROM (SELECT hour, model, environment, evaluator, count() AS evals, sumKahan(score) AS score_sum, countIf(quality.passed = 1) AS passed, countIf(quality.passed = 0) AS failed,
    countIf(is_quality = 1) AS quality_evals, sumKahanIf((score - scale_min) / (scale_max - scale_min), is_quality = 1) AS quality_sum,
    countIf(is_quality = 1 AND quality.passed = 1) AS quality_passed, countIf(is_quality = 1 AND quality.passed = 0) AS quality_failed
  FROM quality FINAL
  WHERE hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)} AND model != ''
  GROUP BY hour, model, environment, evaluator)
) AS part
GROUP BY model, evaluator, day
ORDER BY model = {model:String} DESC, evals DESC, model, evaluator, day
LIMIT 100000
