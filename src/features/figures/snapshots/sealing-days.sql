INSERT INTO model_hours (project_id, grain, seal, hour, model, environment, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen)
SELECT {project:UUID}, 'day', {seal:UInt64}, hour, model, environment, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen
FROM (
  SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, part.dimension AS dimension, part.item AS item,
    sum(part.calls) AS calls, sum(part.finished) AS finished, sum(part.errors) AS errors, sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced, sumKahan(part.cost) AS cost, sumKahan(part.duration_sum) AS duration_sum, sumKahan(part.ttft_sum) AS ttft_sum, sum(part.ttft_count) AS ttft_count, sum(part.input_tokens) AS input_tokens, sum(part.output_tokens) AS output_tokens, sum(part.cached_tokens) AS cached_tokens, sum(part.reasoning_tokens) AS reasoning_tokens, min(part.first_seen) AS first_seen, max(part.last_seen) AS last_seen
  FROM (SELECT * FROM model_hours WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))) AS part
  GROUP BY hour, model, environment, dimension, item
);

INSERT INTO model_hour_sketches (project_id, grain, seal, hour, model, environment, durations, duration_counts, traces)
SELECT {project:UUID}, 'day', {seal:UInt64}, hour, model, environment, durations, duration_counts, traces
FROM (
  SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, sumMap(part.durations, part.duration_counts).1 AS durations,
    sumMap(part.durations, part.duration_counts).2 AS duration_counts, arraySort(groupUniqArrayArray(part.traces)) AS traces
  FROM (SELECT * FROM model_hour_sketches WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))) AS part
  GROUP BY hour, model, environment
);

INSERT INTO quality_hours (project_id, grain, seal, hour, model, environment, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed)
SELECT {project:UUID}, 'day', {seal:UInt64}, hour, model, environment, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed
FROM (
  SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, part.evaluator AS evaluator, sum(part.evals) AS evals, sumKahan(part.score_sum) AS score_sum, sum(part.passed) AS passed, sum(part.failed) AS failed, sum(part.quality_evals) AS quality_evals, sumKahan(part.quality_sum) AS quality_sum, sum(part.quality_passed) AS quality_passed, sum(part.quality_failed) AS quality_failed
  FROM (SELECT * FROM quality_hours WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))) AS part
  GROUP BY hour, model, environment, evaluator
);

INSERT INTO graph_hours (project_id, grain, seal, hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts)
SELECT {project:UUID}, 'day', {seal:UInt64}, hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts
FROM (
  SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.environment AS environment, part.source AS source, part.target AS target,
    sum(part.calls) AS calls, sum(part.finished) AS finished, sum(part.errors) AS errors, sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced, sumKahan(part.cost) AS cost, sumMap(part.durations, part.duration_counts).1 AS durations, sumMap(part.durations, part.duration_counts).2 AS duration_counts
  FROM (SELECT * FROM graph_hours WHERE hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', transform(toUnixTimestamp(hour), {days:Array(UInt32)}, {daySeals:Array(UInt64)}, toUInt64(0)), transform(toUnixTimestamp(hour), {hours:Array(UInt32)}, {hourSeals:Array(UInt64)}, toUInt64(0)))) AS part
  GROUP BY hour, environment, source, target
)
