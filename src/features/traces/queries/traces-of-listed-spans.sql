SELECT trace_id, name, error, session_id, user_id, environment, release, tags
FROM traces FINAL
WHERE trace_id IN {traces:Array(String)}
  AND start_time >= (SELECT min(start_time) FROM spans WHERE trace_id IN {traces:Array(String)})
  AND start_time <= (SELECT max(start_time) FROM spans WHERE trace_id IN {traces:Array(String)})
ORDER BY start_time DESC
LIMIT 1 BY trace_id
