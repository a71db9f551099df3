SELECT toString(model) AS name, count() AS calls, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sumKahan(cost) AS total_cost
FROM calls FINAL
WHERE model != '' AND hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND trace_id GLOBAL IN (
    SELECT trace_id FROM traces FINAL
    WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
      AND user_id IN {users:Array(String)}
      AND is_setup = 0
      AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  )
GROUP BY name
ORDER BY round(total_cost, 12) DESC, calls DESC, name
LIMIT 1000

-- {"from":"1","before":"2","users":["ada"]}
