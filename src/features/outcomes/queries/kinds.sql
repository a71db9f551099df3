SELECT kind, count() AS outcomes, toUnixTimestamp64Milli(min(start_time)) AS first_ms, toUnixTimestamp64Milli(max(start_time)) AS last_ms
FROM outcomes FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
GROUP BY kind
ORDER BY kind
LIMIT 1001
