SELECT environment AS name, toString(toUnixTimestamp64Nano(toDateTime64(max(start_time), 9))) AS newest_ns
FROM guardrail_activity FINAL
WHERE environment != '' AND environment NOT IN {names:Array(String)} AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64})
GROUP BY environment
ORDER BY max(start_time) DESC, name
LIMIT 50
