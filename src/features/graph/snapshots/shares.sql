SELECT toString(named) AS id, count() AS traces, countIf(has_node) AS shared
FROM (
  SELECT has(contained, {node:String}) AS has_node, arrayJoin(contained) AS named
  FROM (SELECT arrayDistinct(arrayFilter((named, environment_of) -> has({environments:Array(String)}, environment_of), nodes, node_environments)) AS contained FROM traces FINAL WHERE start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64}))
)
WHERE named IN {affected:Array(String)}
GROUP BY named
