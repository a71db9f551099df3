SELECT span_id, parent_span_id, name AS span_name, kind, toString(reinterpretAsInt64(start_time)) AS start_ns, toString(reinterpretAsInt64(end_time)) AS end_ns,
  model, request_model, agent_name, tool_name, operation, session_id, status = 'error' AS failed, error_code, leftUTF8(error_message, 200) AS message,
  response_id, input_tokens, output_tokens, left(input_preview, 1) AS input_preview, left(output_preview, 1) AS output_preview, source, byteSize(name, error_message, tags, input, input, output, output, metadata, attributes, extra) AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String}
ORDER BY span_id != '', start_time, span_id
LIMIT 20002
