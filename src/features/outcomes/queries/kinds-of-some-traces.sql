SELECT kind, count() AS outcomes, toUnixTimestamp64Milli(min(start_time)) AS first_ms, toUnixTimestamp64Milli(max(start_time)) AS last_ms
FROM outcomes FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL
WHERE 1 = 1)
GROUP BY kind
ORDER BY kind
LIMIT 1001
