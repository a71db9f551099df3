SELECT trace_id, span_id FROM spans FINAL
PREWHERE trace_id GLOBAL IN (
  SELECT arrayJoin({some:Array(String)})
)
WHERE span_id != '' AND ((user_id IN {met0:Array(String)} OR (user_id = '' AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE trace_id GLOBAL IN (SELECT arrayJoin({some:Array(String)})) AND user_id IN {met1:Array(String)}))) AND if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {met2:Array(String)} AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT arrayJoin({some:Array(String)})
    )
    WHERE evaluator = {met3:String} AND ifNull(if(isNaN(score), NULL, score) > {met4:Float64}, 0)) AND (positionCaseInsensitiveUTF8(name, {met5:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {met5:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {met5:String}) > 0 OR positionCaseInsensitiveUTF8(input, {met5:String}) > 0 OR positionCaseInsensitiveUTF8(output, {met5:String}) > 0))

-- {"some":["a"],"met0":["ada"],"met1":["ada"],"met2":["search"],"met3":"helpful","met4":0.5,"met5":"refund"}
