SELECT toString(ifNull(toFloat64(figure), 1e300)) AS value, toString(reinterpretAsInt64(start_time)) AS start, trace_id, span_id
FROM spans FINAL
GLOBAL ANY LEFT JOIN (
  SELECT trace_id, span_id, toNullable(argMax(score, (start_time, score_id))) AS figure
  FROM scores FINAL
  WHERE evaluator = {sortedBy:String} AND NOT isNaN(score)
  GROUP BY trace_id, span_id
) AS latest USING (trace_id, span_id)
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
    AND span_id != '' AND parent_span_id = ''
    AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation')))
    AND NOT trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64}))
      WHERE origin = 'evaluation'
    )
  AND (ifNull(toFloat64(figure), 1e300), trace_id, span_id) > ({afterValue:Float64}, {afterTrace:String}, {afterSpan:String})
ORDER BY ifNull(toFloat64(figure), 1e300), trace_id, span_id
LIMIT 51

-- {"from":"1","to":"1","afterValue":"5","afterTrace":"trace","afterSpan":"span","sortedBy":"helpful"}
