SELECT user_id, toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(start_time))) AS last_ns,
  count() AS trace_count, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost,
  uniqExactIf(session_id, session_id != '') AS sessions, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  toString(toUnixTimestamp64Milli(max(start_time))) AS value, toString(cityHash64(user_id)) AS tie
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND user_id != ''
  AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  AND ((ifNull((input_tokens + output_tokens) > {member0:Float64}, 0) OR trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE span_id != '' AND (startsWith(if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))), {member1:String}))
  )) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE span_id != '' AND ((if(status = 'error', 'error', 'ok') IN {member2:Array(String)} AND ifNull(if(isNull(end_time), NULL, greatest(0, (reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6)) > {member3:Float64}, 0)))
  ) AND NOT (trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE span_id != '' AND (if(kind IN ('llm', 'embedding'), toString(provider), '') IN {member4:Array(String)})
  )) AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE evaluator = {member5:String} AND ifNull(if(isNaN(score), NULL, score) > {member6:Float64}, 0)
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM outcomes FINAL
    WHERE trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND user_id != ''
  AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))) AND kind IN {member7:Array(String)}
  ) AND ifNull((trace_id GLOBAL IN (
    SELECT trace_id FROM comments FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE 1
  )) = 1, 0) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE (positionCaseInsensitiveUTF8(name, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(input, {member8:String}) > 0 OR positionCaseInsensitiveUTF8(output, {member8:String}) > 0)
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id != ''
        AND (ifNull(cost > {summary0:Float64}, 0) AND NOT (user_id IN {summary1:Array(String)}))
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE arrayExists(v -> v IN {member11:Array(String)}, arrayMap(e -> if(JSONType(e) = 'String', JSONExtractString(e), e), arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
      if(JSONType(metadata, {member9:String}, {member10:String}) = 'Array', JSONExtractArrayRaw(metadata, {member9:String}, {member10:String}), [JSONExtractRaw(metadata, {member9:String}, {member10:String})]))))
  ))
GROUP BY user_id
HAVING (toUnixTimestamp64Milli(max(start_time)) < {afterValue:Int64} OR (toUnixTimestamp64Milli(max(start_time)) = {afterValue:Int64} AND (leftUTF8(user_id, 100), cityHash64(user_id)) > ({afterUser:String}, {afterTie:UInt64})))
ORDER BY toUnixTimestamp64Milli(max(start_time)) DESC, leftUTF8(user_id, 100), cityHash64(user_id)
LIMIT 51

-- {"from":"1","before":"2","summary0":1,"summary1":["a"],"member0":1000,"member1":"search","member2":["error"],"member3":2000,"member4":["openai"],"member5":"helpful","member6":0.5,"member7":["resolved"],"member8":"refund","member9":"a","member10":"b","member11":["x","y"],"afterValue":"5","afterUser":"ada","afterTie":"7"}
