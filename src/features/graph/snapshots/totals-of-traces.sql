SELECT count() AS traces, sumKahan(cost) AS cost, uniqCombined64If(20)(sipHash64(session_id), session_id != '') AS sessions,
  uniqCombined64If(20)(sipHash64(user_id), user_id != '') AS users
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64}) AND arrayExists((named, environment_of) -> named = {node:String} AND environment_of = {environment:String}, nodes, node_environments)
