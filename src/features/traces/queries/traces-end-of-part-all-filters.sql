SELECT toString(ifNull(duration_ms, -1)) AS value, trace_id
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND ifNull(duration_ms, -1) <= {afterValue:Float64} AND (ifNull(duration_ms, -1) < {afterValue:Float64} OR trace_id < {afterId:String})
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
ORDER BY ifNull(duration_ms, -1) DESC, trace_id DESC
LIMIT 1 OFFSET 1023

-- {"from":"1","before":"2","afterValue":"5","afterId":"after","summary0":1,"summary1":["a"],"model":["model"],"agent":["agent"],"tag":["tag","other"],"traceId":["a","b"],"session":["session"],"user":["user"],"environment":["environment"],"release":["release"],"name":["name"],"error":1,"minLatency":1,"minCost":2}
