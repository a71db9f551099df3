INSERT INTO model_hours (project_id, grain, seal, hour, model, environment, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen)
SELECT {project:UUID}, 'hour', {seal:UInt64}, hour, model, environment, dimension, item, calls, finished, errors, unpriced, partly_priced, cost, duration_sum, ttft_sum, ttft_count, input_tokens, output_tokens, cached_tokens, reasoning_tokens, first_seen, last_seen
FROM (
  SELECT hour, model, environment, CAST(multiIf(grouping(provider) = 0, 'provider', grouping(agent_name) = 0, 'agent', grouping(operation) = 0, 'operation', grouping(error_code) = 0, 'error', 'model'), 'Enum8(\'model\' = 1, \'provider\' = 2, \'agent\' = 3, \'operation\' = 4, \'error\' = 5)') AS dimension,
    toLowCardinality(concat(provider, agent_name, operation, error_code)) AS item,
    count() AS calls, sum(finished) AS finished, sum(error) AS errors, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sumKahan(cost) AS cost,
    sumKahan(duration_ms) AS duration_sum, sumKahan(ifNull(ttft_ms, 0)) AS ttft_sum, count(ttft_ms) AS ttft_count,
    sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cached_tokens) AS cached_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, min(start_time) AS first_seen, max(start_time) AS last_seen
  FROM calls FINAL
  WHERE toUnixTimestamp(hour) IN {hours:Array(UInt32)} AND hour >= toDateTime(arrayMin({hours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({hours:Array(UInt32)}))
  GROUP BY GROUPING SETS ((hour, model, environment), (hour, model, environment, provider), (hour, model, environment, agent_name),
    (hour, model, environment, operation), (hour, model, environment, error_code))
  HAVING (dimension = 'model' OR item != '' AND model != '')
);

INSERT INTO model_hour_sketches (project_id, grain, seal, hour, model, environment, durations, duration_counts, traces)
SELECT {project:UUID}, 'hour', {seal:UInt64}, hour, model, environment, durations, duration_counts, traces
FROM (
  SELECT hour, model, environment, arraySort(groupArrayIf(duration, durations_of > 0)) AS durations,
    arrayMap(pair -> pair.2, arraySort(groupArrayIf((duration, durations_of), durations_of > 0))) AS duration_counts,
    arraySort(groupUniqArrayArray(traces_of)) AS traces
  FROM (
    SELECT hour, model, environment, reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(duration_ms) + bitShiftLeft(toUInt64(1), 44), bitNot(bitShiftLeft(toUInt64(1), 45) - 1))) AS duration, countIf(finished = 1) AS durations_of, groupUniqArray(sipHash64(trace_id)) AS traces_of
    FROM calls FINAL
    WHERE toUnixTimestamp(hour) IN {hours:Array(UInt32)} AND hour >= toDateTime(arrayMin({hours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({hours:Array(UInt32)})) AND model != ''
    GROUP BY hour, model, environment, duration
  )
  GROUP BY hour, model, environment
);

INSERT INTO quality_hours (project_id, grain, seal, hour, model, environment, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed)
SELECT {project:UUID}, 'hour', {seal:UInt64}, hour, model, environment, evaluator, evals, score_sum, passed, failed, quality_evals, quality_sum, quality_passed, quality_failed
FROM (
  SELECT hour, model, environment, evaluator, count() AS evals, sumKahan(score) AS score_sum, countIf(quality.passed = 1) AS passed, countIf(quality.passed = 0) AS failed,
    countIf(is_quality = 1) AS quality_evals, sumKahanIf((score - scale_min) / (scale_max - scale_min), is_quality = 1) AS quality_sum,
    countIf(is_quality = 1 AND quality.passed = 1) AS quality_passed, countIf(is_quality = 1 AND quality.passed = 0) AS quality_failed
  FROM quality FINAL
  WHERE toUnixTimestamp(hour) IN {hours:Array(UInt32)} AND hour >= toDateTime(arrayMin({hours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({hours:Array(UInt32)})) AND model != ''
  GROUP BY hour, model, environment, evaluator
);

INSERT INTO graph_hours (project_id, grain, seal, hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts)
SELECT {project:UUID}, 'hour', {seal:UInt64}, hour, environment, source, target, calls, finished, errors, unpriced, partly_priced, cost, durations, duration_counts
FROM (
  SELECT hour, environment, source, target, sum(calls_of) AS calls, sum(finished_of) AS finished, sum(errors_of) AS errors, sum(unpriced_of) AS unpriced,
    sum(partly_priced_of) AS partly_priced, sumKahan(cost_of) AS cost,
    arraySort(groupArrayIf(duration, finished_of > 0)) AS durations,
    arrayMap(pair -> pair.2, arraySort(groupArrayIf((duration, finished_of), finished_of > 0))) AS duration_counts
  FROM (
    SELECT hour, environment, part.1 AS source, part.2 AS target, duration, sum(part.3) AS calls_of, sum(part.3 * is_finished) AS finished_of,
      sum(part.3 * is_error) AS errors_of, sumKahan(part.4) AS cost_of, sum(part.5) AS unpriced_of, sum(part.6) AS partly_priced_of
    FROM (
      SELECT hour, environment, error AS is_error, finished AS is_finished, reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(duration_ms) + bitShiftLeft(toUInt64(1), 44), bitNot(bitShiftLeft(toUInt64(1), 45) - 1))) AS duration,
      arrayJoin(arrayConcat(
      [('', toString(node), 1, cost, unpriced, partly_priced)],
      if(caller != '' AND caller != node, [(toString(caller), toString(node), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(provider != '', [('', concat('provider:', provider), 1, cost, unpriced, partly_priced), (toString(node), concat('provider:', provider), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(prompt_name != '', [('', concat('prompt:', prompt_name), 1, cost, unpriced, partly_priced)], []),
      if(prompt_name != '' AND caller != '', [(toString(caller), concat('prompt:', prompt_name), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(agent_name != '', [('', concat('agent:', agent_name), 0, cost, unpriced, partly_priced)], []))) AS part
      FROM node_calls FINAL
      WHERE toUnixTimestamp(hour) IN {hours:Array(UInt32)} AND hour >= toDateTime(arrayMin({hours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({hours:Array(UInt32)}))
    )
    GROUP BY hour, environment, source, target, duration
  )
  GROUP BY hour, environment, source, target
)
