SELECT toString(reinterpretAsInt64(start_time)) AS value FROM traces
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
ORDER BY start_time DESC
LIMIT 1 OFFSET 63

-- {"from":"1","to":"1"}
