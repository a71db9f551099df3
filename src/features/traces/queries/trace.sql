SELECT trace_id, name, toString(reinterpretAsInt64(start_time)) AS start_ns, toString(reinterpretAsInt64(end_time)) AS end_ns,
  duration_ms, error, session_id, user_id, environment, release, tags, models, agents, span_count, call_count, error_count,
  unpriced_calls, partly_priced_calls, cost, input_tokens, output_tokens, cached_tokens, reasoning_tokens, input_preview, output_preview
FROM traces FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time DESC
LIMIT 1
