SELECT DISTINCT trace_id FROM traces
WHERE oldest_time < fromUnixTimestamp64Milli({edge:Int64}) AND newest_time >= fromUnixTimestamp64Nano({newest:Int64})

-- {"edge":4,"newest":"5"}
