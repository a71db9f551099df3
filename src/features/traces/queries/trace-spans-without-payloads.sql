SELECT trace_id, span_id, parent_span_id, name, kind, toString(reinterpretAsInt64(start_time)) AS start_ns,
  toString(reinterpretAsInt64(end_time)) AS end_ns, status, error_code, error_message, model, request_model, provider, agent_name, operation,
  session_id, user_id, environment, release, service, prompt_name, prompt_version, prompt_version_type, tags, input_tokens, output_tokens,
  cached_tokens, cache_write_tokens, reasoning_tokens, cost_usd, cost_status, ttft_ms, source, input_preview, output_preview,
  '' AS input, '' AS output, '' AS metadata, '' AS attributes, '' AS extra
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}
