SELECT environment AS name, toString(toUnixTimestamp64Nano(max(start_time))) AS newest_ns
FROM spans FINAL
WHERE span_id != '' AND environment IN {names:Array(String)} AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64})
GROUP BY environment
