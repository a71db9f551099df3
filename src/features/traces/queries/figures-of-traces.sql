SELECT trace_id, duration_ms, cost, unpriced_calls, partly_priced_calls, error
FROM traces FINAL
PREWHERE start_time GLOBAL IN (SELECT start_time FROM traces WHERE trace_id IN {traces:Array(String)})
WHERE trace_id IN {traces:Array(String)}
ORDER BY start_time DESC
LIMIT 1 BY trace_id
