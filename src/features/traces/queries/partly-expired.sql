SELECT trace_id, toString(reinterpretAsInt64(max(newest_time))) AS newest
FROM traces FINAL
WHERE trace_id GLOBAL IN (
  SELECT trace_id FROM traces
  WHERE oldest_time < fromUnixTimestamp64Milli({edge:Int64}) AND newest_time >= fromUnixTimestamp64Nano({newest:Int64})
)
GROUP BY trace_id
HAVING max(oldest_time) < fromUnixTimestamp64Milli({edge:Int64})
ORDER BY max(newest_time) DESC

-- {"edge":4,"newest":"5"}
