SELECT 1 AS found FROM span_headers
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64}) AND span_id != '' AND empty(session_id)
LIMIT 1

-- {"from":"1","to":"1"}
