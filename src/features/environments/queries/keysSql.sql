SELECT trace_id, span_id
FROM spans
WHERE span_id != '' AND environment IN {names:Array(String)}
  AND start_time GLOBAL IN (SELECT fromUnixTimestamp64Nano(toInt64(arrayJoin({times:Array(String)}))))
LIMIT 20 BY environment
