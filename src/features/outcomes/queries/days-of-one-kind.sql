SELECT toString(toDate(start_time, 'UTC')) AS day, kind, currency, count() AS outcomes, countIf(success = 1) AS succeeded, countIf(success = 0) AS failed,
    sumKahan(ifNull(value, 0)) AS amount, sum(abs(ifNull(value, 0))) AS magnitude,
    sumKahan(ifNull(value, 0) * 5.421010862427522e-20) AS scaled
FROM outcomes FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') AND kind = {kind:String}
GROUP BY day, kind, currency
ORDER BY day DESC, kind, currency
LIMIT 20001
