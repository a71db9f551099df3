SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS traces, countIf(error = 1) AS errors, sum(cost) AS cost_usd
FROM traces FINAL
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
  AND NOT (origin = 'simulation' OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))) AND kind IN {member7:Array(String)}
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
    )
    WHERE arrayExists(v -> v IN {member11:Array(String)}, arrayMap(e -> if(JSONType(e) = 'String', JSONExtractString(e), e), arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
      if(JSONType(metadata, {member9:String}, {member10:String}) = 'Array', JSONExtractArrayRaw(metadata, {member9:String}, {member10:String}), [JSONExtractRaw(metadata, {member9:String}, {member10:String})]))))
  ))
GROUP BY bucket
LIMIT 60

-- {"from":"1","before":"2","summary0":1,"summary1":["a"],"model":["model"],"agent":["agent"],"tag":["tag","other"],"traceId":["a","b"],"session":["session"],"user":["user"],"environment":["environment"],"release":["release"],"name":["name"],"error":1,"minLatency":1,"minCost":2,"errorCode":["timeout"],"metadataKey0":"region","metadataValues0":["eu","us"],"metadataKey1":"key","evaluator":"evaluator","minScore":0.25,"maxScore":0.5,"passed":0,"unscoredBy":"other","promptName":"prompt","promptVersion":"3","member0":1000,"member1":"search","member2":["error"],"member3":2000,"member4":["openai"],"member5":"helpful","member6":0.5,"member7":["resolved"],"member8":"refund","member9":"a","member10":"b","member11":["x","y"],"start":"0","length":"1000","last":"59"}
