SELECT user_id, toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(start_time))) AS last_ns,
  count() AS trace_count, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost,
  uniqExactIf(session_id, session_id != '') AS sessions, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  toString(if(total_cost < 1e15, round(total_cost, 12), total_cost)) AS value, toString(cityHash64(user_id)) AS tie
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND user_id != ''
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
GROUP BY user_id
ORDER BY if(total_cost < 1e15, round(total_cost, 12), total_cost) DESC, leftUTF8(user_id, 100), cityHash64(user_id)
LIMIT 51

-- {"from":"1","before":"2"}
