SELECT field, value, rows, whole FROM (
  SELECT field, value, rows, sum(rows) OVER (PARTITION BY field) AS whole FROM (
    SELECT multiIf(grouping(v0) = 0, 0, grouping(v1) = 0, 1, 0) AS field, [toString(v0), toString(v1)][field + 1] AS value, count() AS rows FROM (
      SELECT name AS v0, model AS v1 FROM span_headers FINAL
      PREWHERE lot < {lots:UInt16}
      WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
        AND span_id != ''
        AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation')))
        AND NOT trace_id GLOBAL IN (
          SELECT trace_id FROM traces FINAL
          PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64}))
          WHERE origin = 'evaluation'
        )
        AND ((user_id IN {span0:Array(String)} OR (user_id = '' AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE user_id IN {span1:Array(String)}))) AND environment IN {span2:Array(String)} AND if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {span3:Array(String)} AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM scores FINAL
          WHERE evaluator = {span4:String} AND ifNull(if(isNaN(score), NULL, score) > {span5:Float64}, 0)))
    )
    GROUP BY GROUPING SETS ((v0), (v1))
  )
)
ORDER BY field, value = '' DESC, rows DESC, value
LIMIT 51 BY field

-- {"lots":11,"from":"1","to":"1","span0":["ada"],"span1":["ada"],"span2":["prod"],"span3":["search"],"span4":"helpful","span5":0.5}
