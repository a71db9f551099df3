SELECT environment AS name, toString(toUnixTimestamp64Nano(max(start_time))) AS newest_ns
FROM spans
WHERE span_id != '' AND environment IN {names:Array(String)}
GROUP BY environment
