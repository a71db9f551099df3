SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS calls, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sum(cost) AS cost
FROM calls FINAL
WHERE model != '' AND start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  AND hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({to:Int64}))
  AND (model IN {call0:Array(String)} AND if(error = 1, 'error', 'ok') IN {call1:Array(String)} AND environment IN {call2:Array(String)} AND NOT (ifNull(toFloat64OrNull(toString(prompt_version)) > {call3:Float64}, 0)))
GROUP BY bucket
LIMIT 60

-- {"call0":["m"],"call1":["error"],"call2":["prod","dev"],"call3":2,"start":"0","length":"1000","last":"59","from":"1","to":"1"}
