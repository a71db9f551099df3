SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS traces, countIf(error = 1) AS errors, sum(cost) AS cost_usd
FROM (
  SELECT trace_id, start_time, error, cost FROM traces FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({edge:Int64}) AND reinterpretAsInt64(oldest_time) >= {edge:Int64} * 1000000
    AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
  AND hasAny(models, {model:Array(String)})
  AND hasAny(agents, {agent:Array(String)})
  AND hasAny(tags, {tag:Array(String)})
  AND trace_id IN {traceId:Array(String)}
  AND session_id IN {session:Array(String)}
  AND user_id IN {user:Array(String)}
  AND environment IN {environment:Array(String)}
  AND release IN {release:Array(String)}
  AND name IN {name:Array(String)}
  AND error = {error:UInt8}
  AND duration_ms >= {minLatency:Float64}
  AND cost >= {minCost:Float64}
  AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  UNION ALL
  SELECT trace_id, start_time, error, cost FROM (
  SELECT trace_id, multiIf(anyIf(span_name, NOT is_span) != '', anyIf(span_name, NOT is_span),
    argMin(given_name, true_place) != '', argMin(given_name, true_place),
    countIf(is_span AND given_name != '') > 0, argMinIf(given_name, (began, id), is_span AND given_name != ''),
    argMin(span_name, true_place)) AS name, toUInt32(countIf(is_span)) AS span_count,
    if(span_count > 0, minIf(began, is_span), min(began)) AS start_time, maxIf(ended, is_span) AS end_time,
    if(isNull(end_time), NULL, greatest(0, reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6) AS duration_ms,
    multiIf(anyIf(session, NOT is_span) != '', anyIf(session, NOT is_span), argMin(session, place) != '', argMin(session, place),
    argMinIf(session, (began, id), is_span AND session != '')) AS session_id,
    multiIf(anyIf(user, NOT is_span) != '', anyIf(user, NOT is_span), argMin(user, place) != '', argMin(user, place),
    argMinIf(user, (began, id), is_span AND user != '')) AS user_id,
    multiIf(anyIf(env, NOT is_span) != '', anyIf(env, NOT is_span), argMin(env, place) != '', argMin(env, place),
    argMinIf(env, (began, id), is_span AND env != '')) AS environment,
    multiIf(anyIf(released, NOT is_span) != '', anyIf(released, NOT is_span), argMin(released, place) != '', argMin(released, place),
    argMinIf(released, (began, id), is_span AND released != '')) AS release,
    arrayConcat(arraySlice(arrayFilter(x -> NOT has(any(removed_tags), x), arraySlice(arrayDistinct(arrayConcat(anyIf(labels, NOT is_span),
      arrayFlatten(arrayMap(x -> tupleElement(x, 3), arraySort(groupArrayIf((began, id, labels), is_span)))))), 1, 200)), 1, 200 - length(arrayFilter(x -> NOT has(arraySlice(arrayDistinct(arrayConcat(anyIf(labels, NOT is_span),
      arrayFlatten(arrayMap(x -> tupleElement(x, 3), arraySort(groupArrayIf((began, id, labels), is_span)))))), 1, 200), x), any(added_tags)))), arrayFilter(x -> NOT has(arraySlice(arrayDistinct(arrayConcat(anyIf(labels, NOT is_span),
      arrayFlatten(arrayMap(x -> tupleElement(x, 3), arraySort(groupArrayIf((began, id, labels), is_span)))))), 1, 200), x), any(added_tags))) AS tags,
    toUInt32(countIf(is_span AND failed)) AS error_count, toUInt8(error_count > 0) AS error,
    argMaxIf(failure, (began, id), is_span AND failed) AS error_code, argMaxIf(failure_message, (began, id), is_span AND failed) AS error_message,
    toUInt32(countIf(is_call)) AS call_count,
    toUInt32(countIf(is_call AND priced = 'unpriced')) AS unpriced_calls, toUInt32(countIf(is_call AND priced = 'partly_priced')) AS partly_priced_calls, arraySort(groupUniqArrayIf(called, is_call AND called != '')) AS models,
    arraySort(groupUniqArrayIf(agent, is_span AND agent != '')) AS agents, sumKahanIf(ifNull(dollars, 0), counts) AS cost,
    toUInt64(least(sumIf(toFloat64(ifNull(tokens_in, 0)), counts), toFloat64(9007199254740991))) AS input_tokens, toUInt64(least(sumIf(toFloat64(ifNull(tokens_out, 0)), counts), toFloat64(9007199254740991))) AS output_tokens,
    toUInt64(least(sumIf(toFloat64(ifNull(tokens_cached, 0)), counts), toFloat64(9007199254740991))) AS cached_tokens, toUInt64(least(sumIf(toFloat64(ifNull(tokens_reasoned, 0)), counts), toFloat64(9007199254740991))) AS reasoning_tokens,
    multiIf(anyIf(shown_input, NOT is_span) != '', anyIf(shown_input, NOT is_span), argMin(shown_input, place) != '', argMin(shown_input, place),
    argMinIf(shown_input, (began, id), counts AND shown_input != '')) AS input_preview, multiIf(anyIf(shown_output, NOT is_span) != '', anyIf(shown_output, NOT is_span), argMin(shown_output, place) != '', argMin(shown_output, place),
    argMaxIf(shown_output, (began, id), counts AND shown_output != '')) AS output_preview,
    toUInt8(span_count > 0 AND error_count = 0 AND countIf(is_span AND NOT prepares) = 0) AS is_setup,
    if(countIf(is_span AND made_for != 'application') = 0, 'application', argMinIf(made_for, (parent != '', began, id), is_span AND made_for != 'application')) AS origin,
    toUInt32(0) AS depth
  FROM (
    SELECT trace_id, span_id AS id, parent_span_id AS parent, span_id != '' AS is_span, start_time AS began, end_time AS ended, name AS span_name,
      trace_name AS given_name, status = 'error' AS failed, error_code AS failure, leftUTF8(error_message, 200) AS failure_message,
      toString(model) AS called, if(agent_name = '' AND kind = 'agent', if(replaceRegexpAll(span_name, '^(?:invoke_agent|create_agent|agent run:?)\\s+|\\.(?:arun|run|run_stream|arun_stream|ainvoke|invoke|astream|stream|kickoff|__call__)$', '') = '', span_name, replaceRegexpAll(span_name, '^(?:invoke_agent|create_agent|agent run:?)\\s+|\\.(?:arun|run|run_stream|arun_stream|ainvoke|invoke|astream|stream|kickoff|__call__)$', '')), toString(agent_name)) AS agent, session_id AS session, user_id AS user, toString(environment) AS env,
      toString(release) AS released, tags AS labels, cost_usd AS dollars, cost_status AS priced, input_tokens AS tokens_in, output_tokens AS tokens_out,
      cached_tokens AS tokens_cached, reasoning_tokens AS tokens_reasoned, input_preview AS shown_input, output_preview AS shown_output,
      source = 'otlp' AND operation IN ('create_agent', 'initialize', 'ping', 'notifications/initialized', 'tools/list', 'prompts/list', 'prompts/get', 'resources/list', 'resources/read', 'resources/templates/list', 'roots/list', 'logging/setLevel') AS prepares, multiIf(origin != '', toString(origin), environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation'), 'simulation', 'application') AS made_for, added_tags, removed_tags,
      (trace_id, span_id) GLOBAL IN (
        SELECT trace_id, span_id FROM calls FINAL
        WHERE model != '' AND hour >= toStartOfHour(fromUnixTimestamp64Milli({edge:Int64})) AND hour <= toStartOfHour((SELECT max(start_time) FROM spans PREWHERE trace_id GLOBAL IN (
        SELECT arrayJoin({partlyExpired:Array(String)})
        ))) AND trace_id GLOBAL IN (
        SELECT arrayJoin({partlyExpired:Array(String)})
        )
      ) AS is_call,
      is_call OR (is_span AND kind IN ('llm', 'embedding') AND model = '') AS counts,
      parent_span_id != '' AND (trace_id, parent_span_id) GLOBAL IN (
        SELECT trace_id, span_id FROM spans FINAL
        PREWHERE trace_id GLOBAL IN (
        SELECT arrayJoin({partlyExpired:Array(String)})
        )
        WHERE span_id != ''
      ) AS has_parent,
      (span_id = '', has_parent, start_time, span_id) AS place,
      (span_id = '', parent_span_id != '', has_parent, start_time, span_id) AS true_place
    FROM spans FINAL
    GLOBAL ANY LEFT JOIN (
      SELECT trace_id, added AS added_tags, removed AS removed_tags FROM trace_tags FINAL WHERE trace_id GLOBAL IN (
        SELECT arrayJoin({partlyExpired:Array(String)})
      )
    ) AS changed USING (trace_id)
    PREWHERE trace_id GLOBAL IN (
        SELECT arrayJoin({partlyExpired:Array(String)})
    )
  )
  GROUP BY trace_id
  )
  WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
  AND hasAny(models, {model:Array(String)})
  AND hasAny(agents, {agent:Array(String)})
  AND hasAny(tags, {tag:Array(String)})
  AND trace_id IN {traceId:Array(String)}
  AND session_id IN {session:Array(String)}
  AND user_id IN {user:Array(String)}
  AND environment IN {environment:Array(String)}
  AND release IN {release:Array(String)}
  AND name IN {name:Array(String)}
  AND error = {error:UInt8}
  AND duration_ms >= {minLatency:Float64}
  AND cost >= {minCost:Float64}
  AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
)
WHERE trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE status = 'error' AND error_code IN {errorCode:Array(String)}
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE JSONHas(metadata, {metadataKey0:String}) AND (JSONExtractString(metadata, {metadataKey0:String}) IN {metadataValues0:Array(String)}
        OR JSONExtractRaw(metadata, {metadataKey0:String}) IN {metadataValues0:Array(String)})
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE JSONHas(metadata, {metadataKey1:String})
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE evaluator = {evaluator:String}
      AND score >= {minScore:Float64}
      AND score <= {maxScore:Float64}
      AND passed = {passed:UInt8}
  )
  AND trace_id GLOBAL NOT IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE evaluator = {unscoredBy:String}
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE prompt_name = {promptName:String}
      AND prompt_version = {promptVersion:String}
  )
  AND ((ifNull((input_tokens + output_tokens) > {member0:Float64}, 0) OR trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE span_id != '' AND (startsWith(if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))), {member1:String}))
  )) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE span_id != '' AND ((if(status = 'error', 'error', 'ok') IN {member2:Array(String)} AND ifNull(if(isNull(end_time), NULL, greatest(0, (reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6)) > {member3:Float64}, 0)))
  ) AND NOT (trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE span_id != '' AND (if(kind IN ('llm', 'embedding'), toString(provider), '') IN {member4:Array(String)})
  )) AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE evaluator = {member5:String} AND ifNull(if(isNaN(score), NULL, score) > {member6:Float64}, 0)
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM outcomes FINAL
    WHERE trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
  AND hasAny(models, {model:Array(String)})
  AND hasAny(agents, {agent:Array(String)})
  AND hasAny(tags, {tag:Array(String)})
  AND trace_id IN {traceId:Array(String)}
  AND session_id IN {session:Array(String)}
  AND user_id IN {user:Array(String)}
  AND environment IN {environment:Array(String)}
  AND release IN {release:Array(String)}
  AND name IN {name:Array(String)}
  AND error = {error:UInt8}
  AND duration_ms >= {minLatency:Float64}
  AND cost >= {minCost:Float64}
  AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
UNION ALL
SELECT arrayJoin({partlyExpired:Array(String)})) AND kind IN {member7:Array(String)}
  ) AND ifNull((trace_id GLOBAL IN (
    SELECT trace_id FROM comments FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE 1
  )) = 1, 0) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE (positionCaseInsensitiveUTF8(name, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(input, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(output, {member8:String}) > 0)
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND trace_id IN {traceId:Array(String)}
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
        AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
      UNION ALL
      SELECT arrayJoin({partlyExpired:Array(String)})
    )
    WHERE arrayExists(v -> v IN {member11:Array(String)}, arrayMap(e -> if(JSONType(e) = 'String', JSONExtractString(e), e), arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
      if(JSONType(metadata, {member9:String}, {member10:String}) = 'Array', JSONExtractArrayRaw(metadata, {member9:String}, {member10:String}), [JSONExtractRaw(metadata, {member9:String}, {member10:String})]))))
  ))
GROUP BY bucket
LIMIT 60

-- {"from":"1","before":"2","summary0":1,"summary1":["a"],"model":["model"],"agent":["agent"],"tag":["tag","other"],"traceId":["a","b"],"session":["session"],"user":["user"],"environment":["environment"],"release":["release"],"name":["name"],"error":1,"minLatency":1,"minCost":2,"partlyExpired":["a"],"edge":4,"errorCode":["timeout"],"metadataKey0":"region","metadataValues0":["eu","us"],"metadataKey1":"key","evaluator":"evaluator","minScore":0.25,"maxScore":0.5,"passed":0,"unscoredBy":"other","promptName":"prompt","promptVersion":"3","member0":1000,"member1":"search","member2":["error"],"member3":2000,"member4":["openai"],"member5":"helpful","member6":0.5,"member7":["resolved"],"member8":"refund","member9":"a","member10":"b","member11":["x","y"],"start":"0","length":"1000","last":"59"}
