SELECT toString(reinterpretAsInt64(start_time)) AS value FROM span_texts
WHERE start_time >= fromUnixTimestamp64Nano({windowFrom:Int64}) AND start_time <= fromUnixTimestamp64Nano({windowTo:Int64})
ORDER BY start_time DESC
LIMIT 1 OFFSET 16383

-- {"windowFrom":"1","windowTo":"1"}
