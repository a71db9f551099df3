SELECT trace_id, argMax(error_code, (start_time, span_id)) AS code,
  leftUTF8(argMax(error_message, (start_time, span_id)), 200) AS message
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE status = 'error' AND span_id != ''
GROUP BY trace_id
