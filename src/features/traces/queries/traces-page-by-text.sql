SELECT toString(reinterpretAsInt64(start_time)) AS value, trace_id, name, toString(reinterpretAsInt64(start_time)) AS start_ns, toString(reinterpretAsInt64(end_time)) AS end_ns,
  duration_ms, error, session_id, user_id, environment, release, tags, models, agents, span_count, call_count, error_count,
  unpriced_calls, partly_priced_calls, cost, input_tokens, output_tokens, cached_tokens, reasoning_tokens, input_preview, output_preview, error_code, error_message
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND start_time <= fromUnixTimestamp64Nano({afterValue:Int64}) AND (start_time < fromUnixTimestamp64Nano({afterValue:Int64}) OR trace_id < {afterId:String})
  AND start_time >= fromUnixTimestamp64Nano({lastValue:Int64}) AND (start_time > fromUnixTimestamp64Nano({lastValue:Int64}) OR trace_id >= {lastId:String})
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  AND (trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL WHERE (trace_id, span_id, version) GLOBAL IN (SELECT trace_id, span_id, version FROM span_texts WHERE start_time >= (SELECT min(oldest_time) FROM traces WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND start_time <= fromUnixTimestamp64Nano({afterValue:Int64}) AND (start_time < fromUnixTimestamp64Nano({afterValue:Int64}) OR trace_id < {afterId:String})
  AND start_time >= fromUnixTimestamp64Nano({lastValue:Int64}) AND (start_time > fromUnixTimestamp64Nano({lastValue:Int64}) OR trace_id >= {lastId:String}))
  AND start_time <= (SELECT max(newest_time) FROM traces WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND start_time <= fromUnixTimestamp64Nano({afterValue:Int64}) AND (start_time < fromUnixTimestamp64Nano({afterValue:Int64}) OR trace_id < {afterId:String})
  AND start_time >= fromUnixTimestamp64Nano({lastValue:Int64}) AND (start_time > fromUnixTimestamp64Nano({lastValue:Int64}) OR trace_id >= {lastId:String})) AND if(isValidASCII(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output)), lower(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output)), caseFoldUTF8(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output))) LIKE {search1:String} AND (positionCaseInsensitiveUTF8(name, {search0:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {search0:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {search0:String}) > 0 OR positionCaseInsensitiveUTF8(input, {search0:String}) > 0 OR positionCaseInsensitiveUTF8(output, {search0:String}) > 0))
  )
  OR startsWith(lower(trace_id), {search3:String})
  OR trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND start_time <= fromUnixTimestamp64Nano({afterValue:Int64}) AND (start_time < fromUnixTimestamp64Nano({afterValue:Int64}) OR trace_id < {afterId:String})
        AND start_time >= fromUnixTimestamp64Nano({lastValue:Int64}) AND (start_time > fromUnixTimestamp64Nano({lastValue:Int64}) OR trace_id >= {lastId:String})
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    WHERE startsWith(lower(span_id), {search2:String})
  ))
ORDER BY start_time DESC, trace_id DESC
LIMIT 51

-- {"from":"1","before":"2","afterValue":"5","afterId":"after","lastValue":"3","lastId":"last","search0":"refund","search1":"%refund%","search2":"refund","search3":"refund"}
