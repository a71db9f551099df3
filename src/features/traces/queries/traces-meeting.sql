SELECT trace_id, session_id FROM traces FINAL
WHERE trace_id GLOBAL IN (
  SELECT arrayJoin({some:Array(String)})
)
  AND (user_id IN {summary0:Array(String)})
  AND (trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT arrayJoin({some:Array(String)})
    )
    WHERE span_id != '' AND (if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name))) IN {member0:Array(String)})
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM scores FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT arrayJoin({some:Array(String)})
    )
    WHERE evaluator = {member1:String} AND ifNull(if(isNaN(score), NULL, score) > {member2:Float64}, 0)
  ) AND trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (
      SELECT arrayJoin({some:Array(String)})
    )
    WHERE (positionCaseInsensitiveUTF8(name, {member3:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {member3:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {member3:String}) > 0 OR positionCaseInsensitiveUTF8(input, {member3:String}) > 0 OR positionCaseInsensitiveUTF8(output, {member3:String}) > 0)
  ))

-- {"some":["a"],"summary0":["ada"],"member0":["search"],"member1":"helpful","member2":0.5,"member3":"refund"}
