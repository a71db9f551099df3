SELECT count() AS traces, sumKahan(cost) AS cost, sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced,
  uniqCombined64If(20)(sipHash64(session_id), session_id != '') AS sessions,
  uniqCombined64If(20)(sipHash64(user_id), user_id != '') AS users
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64}) AND arrayExists((named, environment_of) -> named = {node:String} AND has({environments:Array(String)}, environment_of), nodes, node_environments)
