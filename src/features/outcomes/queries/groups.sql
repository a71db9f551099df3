SELECT member.1 AS dimension, member.2 AS name, kind, currency, sum(member_outcomes) AS outcomes, sum(member_succeeded) AS succeeded, sum(member_failed) AS failed, sum(member_magnitude) AS magnitude, sumKahan(member_amount) AS amount, sumKahan(member_scaled) AS scaled, sumKahan(member_cost) AS cost, sum(member_unpriced) AS unpriced, sum(member_partly_priced) AS partly_priced
FROM (
  SELECT kind, currency, sum(trace_outcomes) AS member_outcomes, sum(trace_succeeded) AS member_succeeded, sum(trace_failed) AS member_failed, sum(trace_magnitude) AS member_magnitude, sumKahan(trace_amount) AS member_amount, sumKahan(trace_scaled) AS member_scaled, sumKahan(cost) AS member_cost, sum(unpriced_calls) AS member_unpriced,
    sum(partly_priced_calls) AS member_partly_priced,
    arrayJoin(arrayConcat([('all', '')], arrayMap(x -> ('agent', toString(x)), agents), arrayMap(x -> ('model', toString(x)), models))) AS member
  FROM (
    SELECT trace_id, cost, unpriced_calls, partly_priced_calls, models, agents FROM traces FINAL
WHERE 1 = 1
  ) AS known
  GLOBAL ANY RIGHT JOIN (
    SELECT trace_id, kind, currency, count() AS trace_outcomes, countIf(success = 1) AS trace_succeeded, countIf(success = 0) AS trace_failed,
    sumKahan(ifNull(value, 0)) AS trace_amount, sum(abs(ifNull(value, 0))) AS trace_magnitude,
    sumKahan(ifNull(value, 0) * 5.421010862427522e-20) AS trace_scaled
    FROM outcomes FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
    GROUP BY trace_id, kind, currency
  ) AS named USING (trace_id)
  GROUP BY kind, currency, models, agents
)
GROUP BY dimension, name, kind, currency
ORDER BY outcomes DESC, name, kind, currency
LIMIT 5001 BY dimension
