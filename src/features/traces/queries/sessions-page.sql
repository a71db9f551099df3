SELECT session_id, argMaxIf(user_id, start_time, user_id != '') AS user,
  arraySort(groupUniqArrayIf(50)(environment, environment != '')) AS environments,
  toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(greatest(start_time, ifNull(end_time, start_time))))) AS last_ns,
  toString(cityHash64(session_id)) AS tie, count() AS trace_count, sum(span_count) AS spans, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  sum(cached_tokens) AS total_cached, sum(reasoning_tokens) AS total_reasoning
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  AND session_id IN (
    SELECT session_id FROM traces FINAL
    WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
      AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation'))) AND session_id != ''
    GROUP BY session_id
    HAVING countIf(user_id = {user:String}) > 0
      AND countIf(environment = {environment:String}) > 0
      AND countIf(positionCaseInsensitiveUTF8(session_id, {q:String}) > 0 OR positionCaseInsensitiveUTF8(user_id, {q:String}) > 0) > 0
      AND (max(greatest(start_time, ifNull(end_time, start_time))), cityHash64(session_id)) < (fromUnixTimestamp64Nano({afterValue:Int64}), {afterTie:UInt64})
    ORDER BY max(greatest(start_time, ifNull(end_time, start_time))) DESC, cityHash64(session_id) DESC
    LIMIT 51
  )
GROUP BY session_id
ORDER BY max(greatest(start_time, ifNull(end_time, start_time))) DESC, cityHash64(session_id) DESC

-- {"from":"1","before":"2","user":"user","environment":"environment","q":"q","afterValue":"5","afterTie":"after"}
