SELECT user_id, toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(start_time))) AS last_ns,
  count() AS trace_count, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost,
  uniqExactIf(session_id, session_id != '') AS sessions, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND user_id IN {users:Array(String)}
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
GROUP BY user_id

-- {"from":"1","before":"2","users":["ada"]}
