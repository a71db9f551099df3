SELECT span_id, parent_span_id, kind, toString(reinterpretAsInt64(start_time)) AS start_ns, model, agent_name, status = 'error' AS failed,
  response_id, input_tokens, output_tokens, 0 AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String}
ORDER BY span_id != '', start_time, span_id
LIMIT 20002
