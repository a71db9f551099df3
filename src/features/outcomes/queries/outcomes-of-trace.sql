SELECT outcome_id, trace_id, kind, toUnixTimestamp64Milli(start_time) AS ms, value, currency, success, idempotency_key, metadata
FROM outcomes FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time, outcome_id
LIMIT 1001
