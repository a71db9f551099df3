SELECT toString(reinterpretAsInt64(start_time)) AS value, trace_id
FROM traces
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND start_time <= fromUnixTimestamp64Nano({afterValue:Int64}) AND (start_time < fromUnixTimestamp64Nano({afterValue:Int64}) OR trace_id < {afterId:String})
ORDER BY start_time DESC, trace_id DESC
LIMIT 1 OFFSET 255

-- {"from":"1","before":"2","afterValue":"5","afterId":"after"}
