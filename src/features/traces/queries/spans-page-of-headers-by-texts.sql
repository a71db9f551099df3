SELECT toString(reinterpretAsInt64(start_time)) AS value, toString(reinterpretAsInt64(start_time)) AS start, trace_id, span_id
FROM span_headers FINAL
PREWHERE start_time GLOBAL IN (
      SELECT fromUnixTimestamp64Nano(toInt64(arrayJoin({hitStarts:Array(String)})))
    )
  WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
    AND span_id != ''
    AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation')))
    AND NOT trace_id GLOBAL IN (
      SELECT trace_id FROM traces FINAL
      PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64}))
      WHERE origin = 'evaluation'
    )
    AND (trace_id, span_id, version) IN (SELECT arrayJoin(arrayZip({hitOf:Array(String)}, {hitSpans:Array(String)}, {hitVersions:Array(UInt64)})))
    AND ((user_id IN {span0:Array(String)} OR (user_id = '' AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE trace_id GLOBAL IN (SELECT arrayJoin({hitTraces:Array(String)})) AND user_id IN {span1:Array(String)}))) AND environment IN {span2:Array(String)} AND if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {span3:Array(String)} AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM scores FINAL
      PREWHERE trace_id GLOBAL IN (
        SELECT arrayJoin({hitTraces:Array(String)})
      )
      WHERE evaluator = {span4:String} AND ifNull(if(isNaN(score), NULL, score) > {span5:Float64}, 0)))
ORDER BY start_time DESC, trace_id DESC, span_id DESC
LIMIT 51

-- {"hitTraces":["trace"],"hitStarts":["1"],"from":"1","to":"1","hitOf":["trace"],"hitSpans":["span"],"hitVersions":[7],"span0":["ada"],"span1":["ada"],"span2":["prod"],"span3":["search"],"span4":"helpful","span5":0.5}
