SELECT environment AS name, toString(toUnixTimestamp64Nano(max(start_time))) AS newest_ns
FROM spans
WHERE span_id != '' AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64})
  AND environment GLOBAL IN (
    SELECT DISTINCT environment FROM spans
    WHERE environment != '' AND environment NOT IN {names:Array(String)} AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64})
    LIMIT 10000
  )
GROUP BY environment
ORDER BY max(start_time) DESC, name
LIMIT 50
