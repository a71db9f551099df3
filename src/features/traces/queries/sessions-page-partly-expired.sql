SELECT session_id, argMaxIf(user_id, start_time, user_id != '') AS user,
  arraySort(groupUniqArrayIf(50)(environment, environment != '')) AS environments,
  toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(greatest(start_time, ifNull(end_time, start_time))))) AS last_ns,
  toString(cityHash64(session_id)) AS tie, count() AS trace_count, sum(span_count) AS spans, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  sum(cached_tokens) AS total_cached, sum(reasoning_tokens) AS total_reasoning
FROM (
  SELECT session_id, user_id, environment, start_time, end_time, span_count, call_count, error_count, unpriced_calls, partly_priced_calls, cost,
    input_tokens, output_tokens, cached_tokens, reasoning_tokens FROM traces FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({edge:Int64}) AND reinterpretAsInt64(oldest_time) >= {edge:Int64} * 1000000
    AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  UNION ALL
  SELECT session_id, user_id, environment, start_time, end_time, span_count, call_count, error_count, unpriced_calls, partly_priced_calls, cost,
    input_tokens, output_tokens, cached_tokens, reasoning_tokens FROM (
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
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
)
WHERE session_id IN (
    SELECT session_id FROM (
      SELECT session_id, user_id, environment, start_time, end_time FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Milli({edge:Int64}) AND reinterpretAsInt64(oldest_time) >= {edge:Int64} * 1000000
        AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
      AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation'))) AND session_id != ''
      UNION ALL
      SELECT session_id, user_id, environment, start_time, end_time FROM (
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
      AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation'))) AND session_id != ''
    )
    GROUP BY session_id
    HAVING countIf(user_id = {user:String}) > 0
      AND countIf(environment = {environment:String}) > 0
      AND countIf(positionCaseInsensitiveUTF8(session_id, {q:String}) > 0 OR positionCaseInsensitiveUTF8(user_id, {q:String}) > 0) > 0
      AND (max(greatest(start_time, ifNull(end_time, start_time))), cityHash64(session_id)) < (fromUnixTimestamp64Nano({afterValue:Int64}), {afterTie:UInt64})
    ORDER BY max(greatest(start_time, ifNull(end_time, start_time))) DESC, cityHash64(session_id) DESC
    LIMIT 51
  )
GROUP BY session_id
ORDER BY max(greatest(start_time, ifNull(end_time, start_time))) DESC, cityHash64(session_id) DESC

-- {"from":"1","before":"2","partlyExpired":["a"],"edge":4,"user":"user","environment":"environment","q":"q","afterValue":"5","afterTie":"after"}
