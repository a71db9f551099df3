SELECT score_id, trace_id, span_id, session_id, evaluator, score, passed, label, comment, model,
  toUnixTimestamp64Milli(start_time) AS ms, source, metadata
FROM scores FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time, score_id
LIMIT 10001
