SELECT 1 AS found FROM traces
WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64})
LIMIT 1

-- {"from":"1","to":"1"}
