SELECT user_id, sum(trace_outcomes) AS outcomes, sum(trace_succeeded) AS succeeded, sum(trace_failed) AS failed
FROM (
  SELECT trace_id, user_id FROM traces FINAL
  WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
    AND user_id IN {users:Array(String)}
    AND is_setup = 0
    AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
) AS known
GLOBAL ANY INNER JOIN (
    SELECT trace_id, count() AS trace_outcomes, countIf(success = 1) AS trace_succeeded, countIf(success = 0) AS trace_failed
    FROM outcomes FINAL
    WHERE trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
        AND user_id IN {users:Array(String)}
        AND is_setup = 0
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
    )
    GROUP BY trace_id
) AS told USING (trace_id)
GROUP BY user_id

-- {"from":"1","before":"2","users":["ada"]}
