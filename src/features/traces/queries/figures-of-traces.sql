SELECT trace_id, duration_ms, cost, unpriced_calls, partly_priced_calls, error
FROM traces FINAL
WHERE trace_id IN {traces:Array(String)}
  AND start_time >= (SELECT min(start_time) FROM spans WHERE trace_id IN {traces:Array(String)})
  AND start_time <= (SELECT max(start_time) FROM spans WHERE trace_id IN {traces:Array(String)})
ORDER BY start_time DESC
LIMIT 1 BY trace_id
