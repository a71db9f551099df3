SELECT session_id, argMaxIf(user_id, start_time, user_id != '') AS user,
  arraySort(groupUniqArrayIf(50)(environment, environment != '')) AS environments,
  toString(reinterpretAsInt64(min(start_time))) AS first_ns, toString(reinterpretAsInt64(max(greatest(start_time, ifNull(end_time, start_time))))) AS last_ns,
  toString(cityHash64(session_id)) AS tie, count() AS trace_count, sum(span_count) AS spans, sum(call_count) AS calls, sum(error_count) AS errors,
  sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced, sumKahan(cost) AS total_cost, sum(input_tokens) AS total_input, sum(output_tokens) AS total_output,
  sum(cached_tokens) AS total_cached, sum(reasoning_tokens) AS total_reasoning
FROM traces FINAL
WHERE session_id = {session:String}
GROUP BY session_id
