SELECT toString(toDate(start_time, 'UTC')) AS day, count() AS trace_count, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
  AND user_id IN {users:Array(String)}
  AND is_setup = 0
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
GROUP BY day
ORDER BY day

-- {"from":"1","before":"2","users":["ada"]}
