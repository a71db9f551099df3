SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS traces, countIf(error = 1) AS errors
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND hasAny(models, {model:Array(String)})
  AND hasAny(agents, {agent:Array(String)})
  AND hasAny(tags, {tag:Array(String)})
  AND session_id IN {session:Array(String)}
  AND user_id IN {user:Array(String)}
  AND environment IN {environment:Array(String)}
  AND release IN {release:Array(String)}
  AND name IN {name:Array(String)}
  AND error = {error:UInt8}
  AND duration_ms >= {minLatency:Float64}
  AND cost >= {minCost:Float64}
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
    )
    WHERE status = 'error' AND error_code IN {errorCode:Array(String)}
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
    )
    WHERE JSONHas(metadata, {metadataKey0:String}) AND (JSONExtractString(metadata, {metadataKey0:String}) IN {metadataValues0:Array(String)}
        OR JSONExtractRaw(metadata, {metadataKey0:String}) IN {metadataValues0:Array(String)})
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
    )
    WHERE JSONHas(metadata, {metadataKey1:String})
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
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
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
    )
    WHERE evaluator = {unscoredBy:String}
  )
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND hasAny(models, {model:Array(String)})
        AND hasAny(agents, {agent:Array(String)})
        AND hasAny(tags, {tag:Array(String)})
        AND session_id IN {session:Array(String)}
        AND user_id IN {user:Array(String)}
        AND environment IN {environment:Array(String)}
        AND release IN {release:Array(String)}
        AND name IN {name:Array(String)}
        AND error = {error:UInt8}
        AND duration_ms >= {minLatency:Float64}
        AND cost >= {minCost:Float64}
    )
    WHERE prompt_name = {promptName:String}
      AND prompt_version = {promptVersion:String}
  )
GROUP BY bucket
LIMIT 60

-- {"from":"1","before":"2","model":["model"],"agent":["agent"],"tag":["tag","other"],"session":["session"],"user":["user"],"environment":["environment"],"release":["release"],"name":["name"],"error":1,"minLatency":1,"minCost":2,"errorCode":["timeout"],"metadataKey0":"region","metadataValues0":["eu","us"],"metadataKey1":"key","evaluator":"evaluator","minScore":0.25,"maxScore":0.5,"passed":0,"unscoredBy":"other","promptName":"prompt","promptVersion":"3","start":"0","length":"1000","last":"59"}
