SELECT toString(reinterpretAsInt64(start_time)) AS value, trace_id, name, toString(reinterpretAsInt64(start_time)) AS start_ns, toString(reinterpretAsInt64(end_time)) AS end_ns,
  duration_ms, error, session_id, user_id, environment, release, tags, models, agents, span_count, call_count, error_count,
  unpriced_calls, partly_priced_calls, cost, input_tokens, output_tokens, cached_tokens, reasoning_tokens, input_preview, output_preview, error_code, error_message
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    WHERE evaluator = {evaluator:String}
      AND score >= {minScore:Float64}
      AND score <= {maxScore:Float64}
      AND passed = {passed:UInt8}
  )
ORDER BY start_time DESC, trace_id DESC
LIMIT 51

-- {"from":"1","before":"2","evaluator":"evaluator","minScore":0.25,"maxScore":0.5,"passed":0}
