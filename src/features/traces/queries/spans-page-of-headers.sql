SELECT toString(reinterpretAsInt64(start_time)) AS value, toString(reinterpretAsInt64(start_time)) AS start, trace_id, span_id
FROM span_headers FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
    AND span_id != ''
    AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation')))
    AND NOT trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64}))
      WHERE origin = 'evaluation'
    )
    AND ((user_id IN {span0:Array(String)} OR (user_id = '' AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE newest_time >= fromUnixTimestamp64Nano({partFrom:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({partTo:Int64})
  UNION ALL
  SELECT arrayJoin({partlyExpired:Array(String)})) AND user_id IN {span1:Array(String)}))) AND environment IN {span2:Array(String)} AND if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {span3:Array(String)} AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM scores FINAL
      PREWHERE trace_id GLOBAL IN (
        SELECT trace_id FROM traces WHERE newest_time >= fromUnixTimestamp64Nano({partFrom:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({partTo:Int64})
        UNION ALL
        SELECT arrayJoin({partlyExpired:Array(String)})
      )
      WHERE evaluator = {span4:String} AND ifNull(if(isNaN(score), NULL, score) > {span5:Float64}, 0)))
  AND (start_time, trace_id, span_id) < (fromUnixTimestamp64Nano({afterValue:Int64}), {afterTrace:String}, {afterSpan:String})
ORDER BY start_time DESC, trace_id DESC, span_id DESC
LIMIT 51

-- {"partFrom":"1","partTo":"1","partlyExpired":["a"],"from":"1","to":"1","span0":["ada"],"span1":["ada"],"span2":["prod"],"span3":["search"],"span4":"helpful","span5":0.5,"afterValue":"5","afterTrace":"trace","afterSpan":"span"}
