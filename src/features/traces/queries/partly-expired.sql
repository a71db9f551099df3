SELECT trace_id, toString(reinterpretAsInt64(max(newest_time))) AS newest
FROM traces FINAL
WHERE trace_id GLOBAL IN (
  SELECT arrayJoin({partlyExpired:Array(String)})
)
GROUP BY trace_id
HAVING max(oldest_time) < fromUnixTimestamp64Milli({edge:Int64})
ORDER BY max(newest_time) DESC

-- {"partlyExpired":["a"],"edge":4}
