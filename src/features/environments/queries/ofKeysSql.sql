SELECT environment AS name, toString(toUnixTimestamp64Nano(max(start_time))) AS newest_ns
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id IN {spans:Array(String)}
GROUP BY environment
