SELECT toString(ifNull(duration_ms, -1)) AS value, trace_id
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND ifNull(duration_ms, -1) <= {afterValue:Float64} AND (ifNull(duration_ms, -1) < {afterValue:Float64} OR trace_id < {afterId:String})
  AND has(models, {model:String})
  AND has(agents, {agent:String})
  AND session_id = {session:String}
  AND user_id = {user:String}
  AND environment = {environment:String}
  AND error = {error:UInt8}
  AND has(tags, {tag:String})
  AND duration_ms >= {minLatency:Float64}
  AND cost >= {minCost:Float64}
ORDER BY ifNull(duration_ms, -1) DESC, trace_id DESC
LIMIT 1 OFFSET 1023

-- {"from":"1","before":"2","afterValue":"5","afterId":"after","model":"model","agent":"agent","session":"session","user":"user","environment":"environment","error":1,"tag":"tag","minLatency":1,"minCost":2}
