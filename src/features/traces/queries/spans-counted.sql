SELECT least(intDiv(toUnixTimestamp64Milli(start_time) - {start:Int64}, {length:Int64}), {last:Int64}) AS bucket,
  count() AS spans, countIf(status = 'error') AS errors
FROM spans FINAL
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  AND span_id != ''
  AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND agent_name = 'simulation' AND has(tags, 'simulation')))
  AND NOT trace_id GLOBAL IN (
    SELECT trace_id FROM traces FINAL
    PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64}))
    WHERE origin = 'evaluation'
  )
  AND ((user_id IN {span0:Array(String)} OR (user_id = '' AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE user_id IN {span1:Array(String)}))) AND if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {span2:Array(String)} AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM scores FINAL
    WHERE evaluator = {span3:String} AND ifNull(if(isNaN(score), NULL, score) > {span4:Float64}, 0)) AND (positionCaseInsensitiveUTF8(name, {span5:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {span5:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {span5:String}) > 0 OR positionCaseInsensitiveUTF8(input, {span5:String}) > 0 OR positionCaseInsensitiveUTF8(output, {span5:String}) > 0))
GROUP BY bucket
LIMIT 60

-- {"from":"1","to":"1","span0":["ada"],"span1":["ada"],"span2":["search"],"span3":"helpful","span4":0.5,"span5":"refund","start":"0","length":"1000","last":"59"}
